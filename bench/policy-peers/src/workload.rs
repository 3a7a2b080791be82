//! The rules and the questions, in words that every engine can be given.

/// What a rule is about. Every part that is there must hold.
#[derive(Clone, Debug, Default)]
pub struct Rule {
    pub id: String,
    pub effect: &'static str,
    /// The whole id, or everything before `*`.
    pub action: Option<String>,
    pub tag: Option<&'static str>,
    pub route: Option<String>,
    pub role: Option<&'static str>,
}

#[derive(Clone, Debug)]
pub struct Question {
    pub action: String,
    pub route: String,
    pub tag: Option<&'static str>,
    pub roles: Vec<&'static str>,
}

/// The strictest effect and the rules that matched, sorted.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub effect: String,
    pub rules: Vec<String>,
}

pub struct Workload {
    pub rules: Vec<Rule>,
    pub questions: Vec<Question>,
}

pub const EFFECTS: [&str; 4] = ["allow", "confirm", "handoff", "deny"];
const TAGS: [&str; 4] = ["external_effect", "privileged", "sensitive_data", "x.bench.odd"];
const ROLES: [&str; 3] = ["editor", "viewer", "admin"];
const VERBS: [&str; 5] = ["create", "delete", "share", "rename", "publish"];

impl Workload {
    /// An application with many areas: most rules are about one action, some about an area, a route or a tag.
    pub fn new(count: usize) -> Self {
        let mut rules = vec![
            Rule { id: "editors".into(), effect: "allow", role: Some("editor"), ..Rule::default() },
            Rule { id: "outside".into(), effect: "confirm", tag: Some("external_effect"), ..Rule::default() },
        ];
        for number in rules.len()..count {
            let area = format!("area{}", number / 5);
            let verb = VERBS[number % VERBS.len()];
            let mut rule = Rule { id: format!("r{number}"), effect: EFFECTS[number % 4], ..Rule::default() };
            match number % 10 {
                0 => rule.action = Some(format!("{area}.*")),
                1 => rule.route = Some(area),
                2 => {
                    rule.action = Some(format!("{area}.{verb}"));
                    rule.tag = Some(TAGS[number % TAGS.len()]);
                }
                3 => {
                    rule.action = Some(format!("{area}.{verb}"));
                    rule.role = Some(ROLES[number % ROLES.len()]);
                }
                _ => rule.action = Some(format!("{area}.{verb}")),
            }
            rules.push(rule);
        }
        let areas = count / 5;
        let questions = (0..100).map(|number: usize| {
            // A prime walks through all areas in an order that no cache likes.
            let area = number * 7_919 % areas;
            Question {
                action: format!("area{area}.{}", VERBS[number % VERBS.len()]),
                route: format!("area{}", (area + number % 2) % areas),
                tag: TAGS.get(number % 6).copied(),
                roles: ROLES.iter().copied().take(1 + number % ROLES.len()).collect(),
            }
        });
        Self { rules, questions: questions.collect() }
    }
}

/// The answer that follows from the rules that matched.
pub fn answer(mut matched: Vec<(String, usize)>) -> Answer {
    matched.sort();
    let strictest = matched.iter().map(|(_, effect)| *effect).max().unwrap_or_default();
    Answer { effect: EFFECTS[strictest].to_owned(), rules: matched.into_iter().map(|(id, _)| id).collect() }
}

pub fn rank(effect: &str) -> usize {
    EFFECTS.iter().position(|known| *known == effect).expect("a known effect")
}
