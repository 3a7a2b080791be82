//! What a workflow is for, where its words say so.

use crate::naming::plain;
use uiap_protocol::ids::RouteId;
use uiap_protocol::workflow::WorkflowCategory;

/// Words of titles and routes, by what they mean. The first row that has one wins.
const WORDS: [(WorkflowCategory, &[&str]); 4] = [
    (
        WorkflowCategory::Recovery,
        &[
            "forgot",
            "recover",
            "restore",
            "reset password",
            "vergessen",
            "wiederherstell",
            "oublié",
            "récupér",
            "olvid",
            "recuper",
            "ripristin",
        ],
    ),
    (
        WorkflowCategory::Onboarding,
        &[
            "onboarding",
            "welcome",
            "get started",
            "sign up",
            "signup",
            "register",
            "erste schritte",
            "willkommen",
            "registrier",
            "bienvenue",
            "inscri",
            "bienvenid",
            "regístr",
            "benvenut",
        ],
    ),
    (
        WorkflowCategory::Support,
        &[
            "support", "help", "contact", "feedback", "ticket", "hilfe", "kontakt", "aide", "ayuda", "aiuto",
            "contatt",
        ],
    ),
    (
        WorkflowCategory::Setup,
        &[
            "settings",
            "setup",
            "preferences",
            "configure",
            "configuration",
            "einstellung",
            "einricht",
            "paramètre",
            "réglage",
            "ajustes",
            "configuración",
            "impostazion",
        ],
    ),
];

/// What a workflow with this title on these routes is for.
pub(super) fn category(title: &str, routes: &[RouteId]) -> WorkflowCategory {
    let route = routes.last().map(|route| plain(route.as_str())).unwrap_or_default();
    let said = format!("{} {route}", plain(title));
    let known = WORDS.iter().find(|(_, words)| words.iter().any(|word| said.contains(word)));
    known.map_or(WorkflowCategory::Task, |(category, _)| *category)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_and_routes_say_what_a_workflow_is_for() {
        let told = |title: &str, route: &str| category(title, &[RouteId::new(route).expect("an id")]);
        assert_eq!(told("Passwort vergessen: Senden", "login"), WorkflowCategory::Recovery);
        assert_eq!(told("Speichern", "settings.profile"), WorkflowCategory::Setup);
        assert_eq!(told("Welcome: Next", "start"), WorkflowCategory::Onboarding);
        assert_eq!(told("Nous contacter : Envoyer", "contact"), WorkflowCategory::Support);
        assert_eq!(told("Video erstellen", "videos.new"), WorkflowCategory::Task);
    }
}
