//! What messages say: how they are compared, which of them speak of failure, and which are only clocks.

use unicode_normalization::UnicodeNormalization;

/// A text without what does not matter in a message: case, composition, runs of spaces (`protocol` 3.2).
pub(super) fn folded(text: &str) -> String {
    let folded: String = text.nfc().flat_map(char::to_lowercase).collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a message contains a text.
pub(super) fn contains(message: &str, text: &str) -> bool {
    folded(message).contains(&folded(text))
}

/// Beginnings of words that say that something went wrong.
const FAILURE_STEMS: [&str; 54] = [
    // English
    "error",
    "fail",
    "invalid",
    "denied",
    "refused",
    "rejected",
    "could not",
    "couldn't",
    "cannot",
    "can't",
    "unable",
    "not saved",
    "not sent",
    "went wrong",
    "not accepted",
    "not allowed",
    // German
    "fehler",
    "fehlgeschlagen",
    "ungültig",
    "abgelehnt",
    "verweigert",
    "konnte nicht",
    "nicht möglich",
    "gescheitert",
    "nicht gespeichert",
    "nicht angenommen",
    // French
    "erreur",
    "échec",
    "échoué",
    "refusé",
    "impossible",
    // Spanish, Portuguese, Italian
    "falló",
    "ha fallado",
    "rechazad",
    "inválid",
    "falh",
    "recusad",
    "erro ",
    "erros",
    "errore",
    "fallit",
    "non riuscit",
    "rifiutat",
    // Dutch, Polish, Turkish
    "mislukt",
    "fout",
    "geweigerd",
    "błąd",
    "nie udało",
    "hata",
    "başarısız",
    // Swedish, Russian
    "misslyckades",
    "ошибка",
    "не удалось",
    "отклонен",
];

/// The same in scripts without spaces between words.
const FAILURE_PARTS: [&str; 9] =
    ["エラー", "失敗", "できません", "错误", "失败", "錯誤", "拒绝", "오류", "실패"];

/// Words before a stem that take its meaning away.
const NEGATIONS: [&str; 14] = [
    "no", "0", "zero", "without", "keine", "kein", "ohne", "sans", "sin", "sem", "senza", "geen", "bez",
    "без",
];

/// Whether a message says that something went wrong. Such a message is a change, but never a sign of success.
pub(super) fn says_failure(message: &str) -> bool {
    let message = folded(message);
    FAILURE_PARTS.iter().any(|part| message.contains(part))
        || FAILURE_STEMS.iter().any(|stem| {
            message.match_indices(stem).any(|(at, _)| {
                let before = message.get(..at).unwrap_or_default();
                let begins_a_word = !before.chars().next_back().is_some_and(char::is_alphanumeric);
                let last_word = before.split_whitespace().next_back().unwrap_or_default();
                begins_a_word && !NEGATIONS.contains(&last_word)
            })
        })
}

/// Whether two texts differ only in what a clock or a stopwatch moves: digits, in a text that tells a time.
pub(super) fn only_time_passed(before: &str, now: &str) -> bool {
    without_digits(before) == without_digits(now) && tells_time(before) && tells_time(now)
}

fn without_digits(text: &str) -> String {
    let mut kept = String::new();
    for letter in text.chars() {
        let letter = if letter.is_numeric() { '0' } else { letter };
        // "9 s" and "10 s" are the same but for their digits.
        if !(letter == '0' && kept.ends_with('0')) {
            kept.push(letter);
        }
    }
    kept
}

/// Units behind a number that make it a time.
const TIME_UNITS: [&str; 38] = [
    "s", "sec", "secs", "second", "seconds", "sek", "sekunde", "sekunden", "ms", "min", "mins", "minute",
    "minutes", "minuten", "h", "hour", "hours", "stunde", "stunden", "std", "secondes", "segundos",
    "secondi", "ago", "clock", "uhr", "heure", "heures", "hora", "horas", "minutos", "ora", "ore", "minuti",
    "uur", "uren", "godz", "klokken",
];

fn tells_time(text: &str) -> bool {
    let text = folded(text);
    let digit = |letter: Option<char>| letter.is_some_and(char::is_numeric);
    let clock = text.match_indices(':').any(|(at, _)| {
        let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default());
        digit(before.chars().next_back()) && digit(after.chars().next())
    });
    let bare = text.chars().all(|letter| letter.is_numeric() || letter == '.' || letter == ',')
        && text.contains('.');
    let has_digit = text.chars().any(char::is_numeric);
    let unit = text.split(|letter: char| !letter.is_alphabetic()).any(|word| TIME_UNITS.contains(&word));
    clock || bare || (has_digit && unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_contain_text_whatever_its_case_spaces_and_composition() {
        assert!(contains("Video  ERSTELLT\u{a0}jetzt", "video erstellt jetzt"));
        assert!(contains("Cafe\u{301} saved", "CAFÉ"));
        assert!(!contains("Video created", "erstellt"));
    }

    #[test]
    fn messages_of_failure_are_known_in_many_languages() {
        let failing = [
            "Saving failed",
            "Could not save",
            "Fehler beim Speichern",
            "Das hat der Server abgelehnt",
            "Échec de l'envoi",
            "Error al guardar",
            "Falha ao salvar",
            "Errore imprevisto",
            "Opslaan mislukt",
            "Błąd zapisu",
            "Kayıt başarısız",
            "Не удалось сохранить",
            "保存に失敗しました",
            "保存失败",
            "저장 오류",
        ];
        for text in failing {
            assert!(says_failure(text), "{text}");
        }
        let fine = [
            "Saved",
            "Gespeichert",
            "No errors found",
            "Keine Fehler",
            "Terror film added",
            "Enregistré",
            "保存しました",
        ];
        for text in fine {
            assert!(!says_failure(text), "{text}");
        }
    }

    #[test]
    fn a_clock_is_no_news() {
        assert!(only_time_passed("12:00:01", "12:00:02"));
        assert!(only_time_passed("9.9", "10.0"));
        assert!(only_time_passed("9 seconds ago", "10 seconds ago"));
        assert!(only_time_passed("3 o'clock", "4 o'clock"));
        assert!(!only_time_passed("Cart (1)", "Cart (2)"));
        assert!(!only_time_passed("3", "4"));
        assert!(!only_time_passed("12:00", "Closed"));
    }
}
