//! Words in addresses that command something, in the languages that addresses are written in.
//!
//! Addresses are mostly English, whatever the page speaks, so the English lists are the long ones. A word counts as it
//! stands: `delete` commands, `deleted` does not. Some also count where they are written together with what they are done
//! to (`deleteuser`), and those of languages without spaces wherever they stand.

/// Take something away for good.
pub(super) const DESTROY: &str = "
    delete del remove destroy erase purge wipe unsubscribe uninstall deactivate terminate revoke löschen
    loeschen loschen entfernen abbestellen kündigen kuendigen deaktivieren supprimer effacer désabonner
    desabonner désinscription desinscription résilier resilier eliminar borrar suprimir elimina cancella
    rimuovi disiscriviti excluir apagar remover verwijderen verwijder uitschrijven usuń usun skasuj sil
    kaldır kaldir удалить udalit отписаться видалити 删除 刪除 移除 削除 退会 삭제 حذف radera slet smazat
    odstranit vymazat slett fjern fjerne tabort poista törlés torles töröl torol sterge șterge διαγραφή מחק
    xóa xoa hapus ลบ lösche loesche deletar cancellare eliminare rimuovere quitar
";

/// Those of [`DESTROY`] that mean something else after another word: "of the" in Spanish, something that removes in English.
pub(super) const DESTROY_FIRST: &str = "del remover";

/// Those of [`DESTROY`] that no other word begins or ends with, but for their own forms.
pub(super) const DESTROY_COMPOUND: &str = "
    delete remove destroy unsubscribe löschen loeschen entfernen supprimer eliminar borrar excluir verwijderen
    удалить
";

/// The same for [`LEAVE`].
pub(super) const LEAVE_COMPOUND: &str = "logout signout logoff signoff";

/// Endings that make another form of a word, or another word.
pub(super) const FORMS: &str = "s r rs er ers ing able put puts line lines";

/// What makes a state of a command in languages without spaces: already deleted.
pub(super) const DONE: [char; 4] = ['已', '済', '된', '됨'];

/// End the session. Joined: `log-out` and `logOut` are `logout`.
pub(super) const LEAVE: &str = "
    logout signout logoff signoff endsession abmelden ausloggen logoutuser deconnexion déconnexion
    deconnecter déconnecter cerrarsesion cerrarsesión desconectar disconnetti sair encerrarsessao uitloggen
    afmelden wyloguj çıkış cikis cikisyap выход выйти vyhod вийти 登出 注销 退出登录 ログアウト 로그아웃 تسجيلالخروج loggaut
    odhlasit odhlásit killsession salir cerrarlasesion esci disconnettiti logud loggut kirjauduulos
    kijelentkezés kijelentkezes deconectare αποσύνδεση dangxuat đăngxuất keluar התנתק ออกจากระบบ odjava
";

/// Do something to the thing that is named before them: `/orders/7/cancel`.
pub(super) const ACT: &str = "
    approve reject accept decline deny publish unpublish cancel archive unarchive restore activate
    reactivate enable disable block unblock ban unban follow unfollow like unlike dislike vote upvote
    downvote star unstar subscribe join leave send resend start stop restart reboot shutdown run execute
    trigger deploy rollback reset clear empty merge close reopen complete finish toggle lock unlock suspend
    promote demote duplicate clone save submit confirm claim redeem retry kick mute pin unpin markread
    markasread markunread trash undelete buy purchase book reserve release ship freischalten genehmigen
    ablehnen veröffentlichen veroeffentlichen stornieren buchen senden approuver publier annuler envoyer
    aprobar publicar enviar approva pubblica aprovar goedkeuren publiceren zatwierdź zatwierdz opublikuj
    onayla yayınla утвердить опубликовать 批准 发布 承認 公開
";

/// Those of [`ACT`] that are nothing but commands, so that a name before or after them says what is meant.
pub(super) const ACT_SURELY: &str = "
    approve reject decline publish unpublish unarchive reactivate unblock unban unfollow unlike upvote
    downvote unstar resend reboot reopen undelete unpin markread markasread markunread ban suspend enable
    disable restart shutdown rollback
";

/// Do something to everything in the place that is named before them: `/cart/clear`.
pub(super) const EMPTY: &str = "
    clear clearall empty flush flushall markallread markallasread leeren vider vaciar svuota
";

/// Values of a parameter that names what is to be done, besides all of the above. The words that open a form (`add`,
/// `create`, `edit`, `new`) are not among them.
pub(super) const PERFORM: &str = "
    update insert set unset write post put patch drop truncate import pay checkout order
";

/// Parameters that name what is to be done.
pub(super) const ACTION_KEYS: &str = "
    action act cmd command do op operation task method mode func function fn event verb handler aktion
    accion azione acao doaction subaction bulkaction
";

/// Parameters by which a request says that it is something else.
pub(super) const METHOD_KEYS: &str = "
    _method __method _httpmethod _http_method http_method httpmethod method_override x-http-method-override
    x-http-method x-method-override _verb
";

/// Parameters by which a program at one address finds its pages.
pub(super) const ROUTE_KEYS: &str = "r rt route p page path _url q";

/// Parameters that carry what a button of a form is called.
pub(super) const BUTTON_KEYS: &str = "submit submitbutton button btn";

/// Endings of such programs.
pub(super) const SCRIPTS: &str = "php asp aspx jsp cgi pl cfm do";

/// Words of links that are sent to one person, who agrees to something by following them.
pub(super) const AGREE: &str = "
    confirm confirmation verify verification activate activation accept approve reset invite invitation
    invitations optin optout validate magic magiclink bestätigen bestaetigen bestätigung bestaetigung
    freischaltung einladung confirmer confirmation valider confirmar verificar conferma verifica bevestigen
    potwierdz potwierdź onayla подтвердить 确认 確認
";

/// Parameters that carry what such a link proves.
pub(super) const TOKEN_KEYS: &str = "
    token code key hash sig signature secret otp nonce confirmationtoken activationkey t jwt
";

/// Places where people read about commands, whatever stands below them.
pub(super) const DOCS: &str = "
    docs doc documentation help faq faqs guide guides manual handbook reference tutorial tutorials learn kb
    knowledgebase howto glossary changelog hilfe anleitung handbuch aide ayuda guida ajuda pomoc yardim
    yardım помощь 帮助 ヘルプ
";

/// Places where people read, but that applications also let them write to: only long headlines are excused there.
pub(super) const READING: &str = "
    blog news article articles post posts wiki support story stories topics questions category
";

/// Words before a command by which it is only asked about.
pub(super) const QUESTIONS: &str = "
    how howto why what when where who should can cannot could may is are was about after before without wie
    warum pourquoi como cómo come hoe jak nasil nasıl как
";

/// Words beside a command that make a text about it, unless it is aimed at one thing.
pub(super) const TOPICS: &str = "
    help docs faq guide tutorial tips policy log logs preview status allowed requests reasons hilfe anleitung
    aide ayuda
";

/// Where things to buy are put.
pub(super) const BASKETS: &str = "
    cart basket bag wishlist watchlist favorites favourites warenkorb merkliste panier carrito carrello
";

/// Endings of files that are only ever read.
pub(super) const FILES: &str = "
    js mjs cjs css map json5 wasm svg png jpg jpeg gif webp avif ico bmp woff woff2 ttf otf eot mp4 webm mp3
    ogg wav m4a vtt srt ts tsx jsx vue svelte scss less txt md webmanifest
";

/// Endings of files that a page offers to keep.
pub(super) const EXPORTS: &str = "
    pdf csv tsv xlsx xls zip gz tar docx pptx ods odt ics vcf json xml html htm rss atom
";

/// First segments below which programs are served, not pages.
pub(super) const PROGRAMS: &str = "api rest rpc ajax graphql jsonrpc _api wp-json";

/// Segments below those that are pages all the same.
pub(super) const PROGRAM_PAGES: &str = "
    docs doc documentation reference swagger swagger-ui redoc explorer ui help playground
";

/// First words of procedures that read.
pub(super) const READ_VERBS: &str = "get list search read describe find query count fetch lookup exists";

/// Words of procedures and fields that write, wherever they stand.
pub(super) const WRITE_VERBS: &str = "
    delete del remove destroy erase purge wipe truncate unlink create update upsert insert add set put patch
    write save send publish approve reject cancel revoke reset start stop run execute pay buy invite grant enable
    disable activate deactivate login logout register submit mark move rename clear increment decrement push
    pop trigger deploy restart merge import upload subscribe unsubscribe consume acquire lock unlock replace
    change modify edit
";

/// The words of a name: split where it is not alphanumeric and where a capital follows a small letter, in small letters.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut previous: Option<char> = None;
    for next in name.chars() {
        let starts = match previous {
            None => true,
            Some(before) => !before.is_alphanumeric() || before.is_lowercase() && next.is_uppercase(),
        };
        if next.is_alphanumeric() {
            let lower = next.to_lowercase();
            match words.last_mut().filter(|_| !starts) {
                Some(word) => word.extend(lower),
                None => words.push(lower.collect()),
            }
        }
        previous = Some(next);
    }
    words
}

/// One of the words of the list.
pub(super) fn is_one_of(word: &str, list: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

/// One of these words, written together with what it is done to: `deleteuser`, `userdelete`. No form of the word itself:
/// `deleteditems` are no command.
pub(super) fn is_compound_of(word: &str, list: &str) -> bool {
    list.split_whitespace().any(|verb| {
        let rest = word.strip_prefix(verb).filter(|rest| !rest.starts_with('d') && !is_one_of(rest, FORMS));
        let rest = rest.or_else(|| word.strip_suffix(verb).filter(|before| !is_one_of(before, QUESTIONS)));
        rest.is_some_and(|rest| !rest.is_empty())
    })
}

/// One of the words of languages without spaces stands in it, and nothing that says that it is done already.
pub(super) fn is_around_one_of(word: &str, list: &str) -> bool {
    let is_spaceless = |letter: char| matches!(letter, '\u{e00}'..='\u{e7f}' | '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}');
    let mut spaceless = list.split_whitespace().filter(|one| one.chars().all(is_spaceless));
    !word.is_ascii() && !word.contains(DONE) && spaceless.any(|one| word.contains(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_into_words() {
        for (name, split) in [
            ("deleteUser", "delete user"),
            ("remove_item-2", "remove item 2"),
            ("LogOut", "log out"),
            ("deleted", "deleted"),
            ("HTMLPage", "htmlpage"),
            ("löschen.do", "löschen do"),
            ("削除", "削除"),
            ("--", ""),
        ] {
            assert_eq!(words(name).join(" "), split);
        }
    }
}
