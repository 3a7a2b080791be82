//! The state every run starts from. No clock and no chance: the same seed every time.

use std::collections::BTreeMap;

use crate::model::{
    Account, Appearance, Billing, Comment, Density, Member, Plan, Profile, Role, Status, Theme, Token, Video,
    Visibility,
};
use crate::world::World;

/// The day on which Videoland always is; new things carry it.
pub(crate) const TODAY: &str = "2026-03-26";
pub(crate) const PASSWORD: &str = "videoland";

pub(crate) const USE_CASES: [&str; 5] = ["onboarding", "training", "marketing", "support", "event"];
pub(crate) const CATEGORIES: [&str; 10] =
    ["product", "safety", "sales", "hr", "it", "logistics", "finance", "quality", "culture", "research"];

const TOPICS: [(&str, usize, usize); 25] = [
    ("Erster Tag im Unternehmen", 0, 3),
    ("Sicherheit im Lager", 1, 1),
    ("Produkttour Frühjahr", 2, 0),
    ("Gabelstapler sicher fahren", 1, 5),
    ("Brandschutz am Standort", 1, 1),
    ("Reisekosten abrechnen", 3, 6),
    ("Datenschutz im Alltag", 1, 4),
    ("Kundengespräche führen", 1, 2),
    ("Messeauftritt Hannover", 4, 2),
    ("Neue Kassensoftware", 3, 4),
    ("Qualitätsprüfung Wareneingang", 1, 7),
    ("Sommerfest am Hafen", 4, 8),
    ("Werkstatt der Zukunft", 2, 9),
    ("Passwörter richtig wählen", 1, 4),
    ("Retouren bearbeiten", 3, 5),
    ("Ausbildung bei uns", 2, 3),
    ("Ergonomie am Arbeitsplatz", 0, 1),
    ("Barrierefreie Dokumente", 1, 4),
    ("Jahresrückblick der Teams", 4, 8),
    ("Angebote schreiben", 1, 2),
    ("Energie sparen im Betrieb", 1, 7),
    ("Willkommen in der Spätschicht", 0, 3),
    ("Prototypen testen", 2, 9),
    ("Inventur Schritt für Schritt", 3, 5),
    ("Feedback geben und nehmen", 0, 8),
];

const PARTS: [&str; 8] = [
    "Grundlagen",
    "Kurzfassung",
    "Teil 2: Praxis",
    "Häufige Fragen",
    "Interview",
    "Checkliste",
    "für Führungskräfte",
    "Wiederholung",
];

const TAGS: [&str; 6] = ["kurz", "pflicht", "neu", "intern", "untertitel", "archiv"];
const OWNERS: [&str; 3] = ["admin", "editor", "viewer"];

const MEMBERS: [(&str, &str, Role); 8] = [
    ("Alma Adler", "alma.adler@example.com", Role::Admin),
    ("Emil Ebert", "emil.ebert@example.com", Role::Editor),
    ("Vera Vogt", "vera.vogt@example.com", Role::Viewer),
    ("Jonas Brandt", "jonas.brandt@example.com", Role::Editor),
    ("Selin Kaya", "selin.kaya@example.com", Role::Editor),
    ("Mateusz Nowak", "mateusz.nowak@example.com", Role::Viewer),
    ("Hannah Weiß", "hannah.weiss@example.com", Role::Viewer),
    ("Óscar Peña", "oscar.pena@example.com", Role::Viewer),
];

pub(crate) fn world() -> World {
    let billing =
        Billing { plan: Plan::Team, card_holder: "Alma Adler".to_owned(), card_hint: "4242".to_owned() };
    let mut world = World::new(accounts(), billing);
    for (number, part) in (0_u32..).zip(PARTS) {
        for (offset, topic) in (0_u32..).zip(TOPICS) {
            let id = world.take_id();
            world.videos.insert(id, video(id, number * 31 + offset * 7, topic, part));
        }
    }
    for (name, email, role) in MEMBERS {
        let id = world.take_id();
        let member = Member { id, name: name.to_owned(), email: email.to_owned(), role, invited: false };
        world.members.insert(id, member);
    }
    let id = world.take_id();
    world.tokens.insert(id, Token { id, name: "Sendeplan-Export".to_owned(), hint: "…7f3a".to_owned() });
    world
}

fn accounts() -> BTreeMap<String, Account> {
    ["admin", "editor", "viewer"]
        .into_iter()
        .zip(MEMBERS)
        .map(|(name, (display_name, email, role))| {
            let profile = Profile {
                display_name: display_name.to_owned(),
                email: email.to_owned(),
                about: "Arbeitet seit 2021 mit Videoland.".to_owned(),
            };
            let appearance =
                Appearance { theme: Theme::System, density: Density::Comfortable, reduce_motion: false };
            let account =
                Account { name: name.to_owned(), role, password: PASSWORD.to_owned(), profile, appearance };
            (name.to_owned(), account)
        })
        .collect()
}

/// A plausible video; `mix` is any number and only spreads the values.
fn video(id: u32, mix: u32, (topic, use_case, category): (&str, usize, usize), part: &str) -> Video {
    let pick = |from: &[&str], at: usize| from.get(at % from.len()).copied().unwrap_or_default().to_owned();
    let spread = usize::try_from(mix).unwrap_or_default();
    let status = match mix % 5 {
        0 => Status::Draft,
        1 => Status::Review,
        _ => Status::Published,
    };
    let visibility = match mix % 3 {
        0 => Visibility::Team,
        1 => Visibility::Public,
        _ => Visibility::Private,
    };
    Video {
        id,
        title: format!("{topic} – {part}"),
        use_case: pick(&USE_CASES, use_case),
        category: pick(&CATEGORIES, category),
        tags: vec![pick(&TAGS, spread), pick(&TAGS, spread + 2)],
        date: format!("2026-{:02}-{:02}", 1 + mix % 12, 1 + mix % 28),
        visibility,
        captions: mix.is_multiple_of(2),
        quality: 80,
        volume: 50.0,
        file_name: format!("video-{id:03}.mp4"),
        description: format!("„{topic}“ zeigt das Wichtigste in wenigen Minuten und nennt Ansprechpersonen."),
        status,
        owner: pick(&OWNERS, spread),
        views: if status == Status::Draft { 0 } else { (mix * 7_919) % 24_000 },
        seconds: 45 + (mix * 37) % 1_500,
        updated: format!("2025-{:02}-{:02}", 1 + (mix * 5) % 12, 1 + (mix * 3) % 28),
        comments: comments(id),
    }
}

fn comments(video: u32) -> Vec<Comment> {
    let texts = [
        ("Jonas Brandt", "Der Einstieg ist gelungen, die Mitte könnte kürzer sein."),
        ("Selin Kaya", "Bitte bei Minute zwei die Untertitel prüfen."),
        ("Vera Vogt", "Sehr hilfreich, danke!"),
    ];
    let count = usize::try_from(video % 4).unwrap_or_default();
    (1_u32..)
        .zip(texts)
        .take(count)
        .map(|(number, (author, text))| Comment {
            id: video * 10 + number,
            author: author.to_owned(),
            text: text.to_owned(),
        })
        .collect()
}
