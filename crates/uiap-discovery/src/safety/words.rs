//! Words on things that only change what is shown, and words that sign out.
//!
//! Names come in the one spelling of [`plain`](crate::naming::plain).

/// Whole names of things that only change what is shown.
const SHOWING: &[&str] = &[
    // English
    "next",
    "previous",
    "back",
    "forward",
    "more",
    "less",
    "show more",
    "show less",
    "load more",
    "see all",
    "view all",
    "details",
    "show details",
    "hide details",
    "expand",
    "collapse",
    "expand all",
    "collapse all",
    "filter",
    "filters",
    "sort",
    "menu",
    "help",
    "info",
    "preview",
    "close",
    "dismiss",
    "first page",
    "last page",
    "next page",
    "previous page",
    "open menu",
    "columns",
    "zoom in",
    "zoom out",
    // German
    "weiter",
    "vor",
    "nächste",
    "nächste seite",
    "zurück",
    "vorige",
    "vorherige",
    "vorherige seite",
    "mehr",
    "weniger",
    "mehr anzeigen",
    "weniger anzeigen",
    "mehr laden",
    "alle anzeigen",
    "details anzeigen",
    "ausklappen",
    "einklappen",
    "aufklappen",
    "zuklappen",
    "filtern",
    "sortieren",
    "menü",
    "hilfe",
    "vorschau",
    "schließen",
    "erste seite",
    "letzte seite",
    "spalten",
    "menü öffnen",
    // French
    "suivant",
    "suivante",
    "précédent",
    "précédente",
    "retour",
    "plus",
    "moins",
    "voir plus",
    "voir moins",
    "afficher plus",
    "tout afficher",
    "détails",
    "filtrer",
    "filtres",
    "trier",
    "aide",
    "aperçu",
    "fermer",
    // Spanish
    "siguiente",
    "anterior",
    "atrás",
    "más",
    "menos",
    "ver más",
    "ver menos",
    "ver todo",
    "detalles",
    "filtrar",
    "filtros",
    "ordenar",
    "menú",
    "ayuda",
    "vista previa",
    "cerrar",
    // Italian
    "avanti",
    "successivo",
    "successiva",
    "precedente",
    "indietro",
    "altro",
    "mostra altro",
    "mostra meno",
    "dettagli",
    "filtra",
    "filtri",
    "ordina",
    "aiuto",
    "anteprima",
    "chiudi",
    // Portuguese
    "seguinte",
    "próximo",
    "próxima",
    "voltar",
    "mais",
    "ver mais",
    "ver menos",
    "detalhes",
    "ordenar por",
    "ajuda",
    "pré-visualização",
    "fechar",
    // Dutch
    "volgende",
    "vorige pagina",
    "volgende pagina",
    "terug",
    "meer",
    "minder",
    "meer tonen",
    "toon meer",
    "sorteren",
    "voorbeeld",
    "sluiten",
    // Polish
    "następny",
    "następna",
    "dalej",
    "poprzedni",
    "poprzednia",
    "wstecz",
    "więcej",
    "mniej",
    "pokaż więcej",
    "szczegóły",
    "filtruj",
    "sortuj",
    "pomoc",
    "podgląd",
    "zamknij",
    // Swedish, Danish, Norwegian
    "nästa",
    "föregående",
    "tillbaka",
    "mer",
    "mindre",
    "visa mer",
    "visa mindre",
    "detaljer",
    "sortera",
    "hjälp",
    "stäng",
    "næste",
    "forrige",
    "tilbage",
    "vis mere",
    "vis mindre",
    "luk",
    "neste",
    "tilbake",
    "vis mer",
    "lukk",
    // Turkish
    "sonraki",
    "önceki",
    "geri",
    "daha fazla",
    "ayrıntılar",
    "filtrele",
    "sırala",
    "yardım",
    "kapat",
    // Russian, Ukrainian
    "далее",
    "дальше",
    "вперёд",
    "назад",
    "ещё",
    "показать ещё",
    "подробнее",
    "фильтр",
    "сортировать",
    "меню",
    "помощь",
    "закрыть",
    "далі",
    "більше",
    "докладніше",
    "закрити",
    // Japanese, Chinese, Korean
    "次へ",
    "前へ",
    "戻る",
    "もっと見る",
    "詳細",
    "絞り込み",
    "並べ替え",
    "メニュー",
    "ヘルプ",
    "閉じる",
    "下一页",
    "上一页",
    "下一步",
    "返回",
    "更多",
    "详情",
    "筛选",
    "排序",
    "菜单",
    "帮助",
    "关闭",
    "다음",
    "이전",
    "뒤로",
    "더보기",
    "더 보기",
    "상세",
    "필터",
    "정렬",
    "메뉴",
    "도움말",
    "닫기",
    // Signs
    "›",
    "‹",
    "»",
    "«",
    "→",
    "←",
    "▾",
    "▸",
    "▼",
    "▲",
    "≡",
    "☰",
    "⋮",
    "⋯",
    "…",
    "×",
    "✕",
    "?",
];

/// Words that sign out, wherever they stand in a name.
const SIGNING_OUT: &[&str] = &[
    "log out",
    "logout",
    "log off",
    "logoff",
    "sign out",
    "signout",
    "end session",
    "abmelden",
    "ausloggen",
    "abmeldung",
    "sitzung beenden",
    "déconnexion",
    "déconnecter",
    "cerrar sesión",
    "cierra sesión",
    "cerrar la sesión",
    "finalizar sesión",
    "salir",
    "desconectar",
    "disconnetti",
    "disconnettiti",
    "disconnettersi",
    "esci",
    "terminar sessão",
    "sair",
    "encerrar sessão",
    "uitloggen",
    "afmelden",
    "wyloguj",
    "wylogowanie",
    "odhlásit",
    "odhlásiť",
    "logga ut",
    "log ud",
    "logg ut",
    "kirjaudu ulos",
    "çıkış",
    "oturumu kapat",
    "выйти",
    "выход",
    "вийти",
    "вихід",
    "ログアウト",
    "サインアウト",
    "退出登录",
    "退出",
    "登出",
    "注销",
    "로그아웃",
    "تسجيل الخروج",
    "התנתק",
    "יציאה",
    "خروج",
    "लॉग आउट",
    "साइन आउट",
    "kijelentkezés",
    "kilépés",
    "deconectare",
    "deconectează",
    "odjava",
    "odjavi se",
    "изход",
    "tanca la sessió",
    "αποσύνδεση",
    "đăng xuất",
    "keluar",
    "ออกจากระบบ",
];

/// Whole names of links to where a new password is asked for. Nothing comes of them before somebody types one; resetting a
/// password is another matter, because it may be done by asking alone.
const PASSWORD_PAGES: &[&str] = &[
    "change password",
    "change my password",
    "change your password",
    "passwort ändern",
    "kennwort ändern",
    "changer le mot de passe",
    "changer de mot de passe",
    "cambiar contraseña",
    "cambiar la contraseña",
    "cambia password",
    "alterar senha",
    "mudar senha",
    "alterar palavra-passe",
    "wachtwoord wijzigen",
    "zmień hasło",
    "ändra lösenord",
    "byt lösenord",
    "skift adgangskode",
    "endre passord",
    "parolayı değiştir",
    "şifre değiştir",
    "сменить пароль",
    "изменить пароль",
    "змінити пароль",
    "修改密码",
    "更改密码",
    "パスワードを変更",
    "パスワード変更",
    "비밀번호 변경",
];

/// What is called this leads to where a new password is asked for.
pub(super) fn asks_for_password(name: &str) -> bool {
    PASSWORD_PAGES.contains(&name)
}

/// What is called this only changes what is shown.
pub(super) fn only_shows(name: &str) -> bool {
    SHOWING.contains(&name.trim_end_matches(['…', '.', ' ']))
        || SHOWING.contains(&name)
        // A page of a list is called by its number.
        || name == "#"
}

/// Words in names of icons of which one is enough: a menu, a way on, help, an order.
const SHOWN: &[&str] = &[
    "bars",
    "menu",
    "hamburger",
    "navicon",
    "ellipsis",
    "dots",
    "kebab",
    "more",
    "chevron",
    "angle",
    "caret",
    "question",
    "help",
    "info",
    "filter",
    "sort",
    "columns",
];
/// Words that change nothing about it. There is no `up`: what points up may be a vote.
const SHOWN_SOMEHOW: &[&str] = &[
    "down",
    "left",
    "right",
    "double",
    "circle",
    "square",
    "three",
    "vertical",
    "horizontal",
    "vert",
    "horiz",
    "v",
    "h",
    "alt",
    "fill",
    "line",
    "outline",
    "solid",
];

/// What shows nothing but this icon only changes what is shown.
pub(super) fn icon_only_shows(icon: &str) -> bool {
    icon.split('-').any(|word| SHOWN.contains(&word))
        && icon.split('-').all(|word| SHOWN.contains(&word) || SHOWN_SOMEHOW.contains(&word))
}

/// What is called this ends the session.
pub(super) fn signs_out(name: &str) -> bool {
    // In languages with spaces a word must stand by itself: `esci` is in `rescind`.
    let words: Vec<_> =
        name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let spaced = format!(" {} ", words.join(" "));
    SIGNING_OUT
        .iter()
        .any(|word| if word.is_ascii() { spaced.contains(&format!(" {word} ")) } else { name.contains(word) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naming::plain;

    #[test]
    fn what_shows_and_what_signs_out_is_told_from_the_rest() {
        for name in ["Next", "Zurück", "Details …", "もっと見る", "7", "×"] {
            assert!(only_shows(&plain(name)), "{name}");
        }
        for name in ["Next of kin", "Delete", "Close account", "Create", "OK", ""] {
            assert!(!only_shows(&plain(name)), "{name}");
        }
        for icon in ["bars", "ellipsis-v", "three-dots-vertical", "chevron-down", "circle-question"] {
            assert!(icon_only_shows(icon), "{icon}");
        }
        for icon in ["caret-up", "circle", "trash", "xmark", "filter-remove", "bars-progress", ""] {
            assert!(!icon_only_shows(icon), "{icon}");
        }
        for name in [
            "Log out",
            "Logout (admin)",
            "Abmelden",
            "Se déconnecter",
            "ログアウト",
            "Esci",
            "Salir",
            "Çıkış",
            "Disconnettiti",
            "खाते से लॉग आउट",
            "Wylogowanie",
        ] {
            assert!(signs_out(&plain(name)), "{name}");
        }
        for name in ["Change password", "CHANGE PASSWORD", "Passwort ändern", "修改密码"] {
            assert!(asks_for_password(&plain(name)), "{name}");
        }
        for name in ["Reset password", "Change password of everybody", "Password"] {
            assert!(!asks_for_password(&plain(name)), "{name}");
        }
        for name in ["Blog outline", "Rescind", "Sign up", "Anmelden"] {
            assert!(!signs_out(&plain(name)), "{name}");
        }
    }
}
