//! A package of any size, and the same amount of work for kustomize.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const ELEMENTS_PER_FILE: usize = 100;
const ACTIONS_PER_FILE: usize = 100;
const WORKFLOWS_PER_FILE: usize = 10;
const PATCHES_PER_OVERLAY: usize = 20;

/// How much of everything a package has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) elements: usize,
    pub(crate) actions: usize,
    pub(crate) workflows: usize,
    pub(crate) overlays: usize,
}

impl Size {
    /// In the proportions of the benchmark: of 10,000 elements there are 2,000 actions, 200 workflows and 50 overlays.
    pub(crate) fn of_elements(elements: usize) -> Self {
        Self { elements, actions: elements / 5, workflows: elements / 50, overlays: elements / 200 }
    }

    pub(crate) fn objects(self) -> usize {
        self.elements + self.actions + self.workflows
    }

    pub(crate) fn patches(self) -> usize {
        self.overlays * PATCHES_PER_OVERLAY
    }
}

/// Files and their texts, by path.
pub(crate) type Files = Vec<(PathBuf, String)>;

/// The manifests of a package.
pub(crate) fn package(size: Size) -> Files {
    let mut files = vec![(PathBuf::from("app.uiap.yaml"), app())];
    let mut listed = vec![("app.core".to_owned(), "App", "app.uiap.yaml".to_owned())];
    let mut add = |id: String, kind: &'static str, text: String| {
        let path = format!("{kind}/{id}.uiap.yaml");
        listed.push((id, kind, path.clone()));
        files.push((PathBuf::from(path), text));
    };
    for (number, elements) in chunks(size.elements, ELEMENTS_PER_FILE).enumerate() {
        let id = format!("bindings.{number}");
        add(id.clone(), "Bindings", bindings(&id, elements));
    }
    for (number, range) in chunks(size.actions, ACTIONS_PER_FILE).enumerate() {
        let id = format!("actions.{number}");
        add(id.clone(), "Actions", actions(&id, range));
    }
    for (number, range) in chunks(size.workflows, WORKFLOWS_PER_FILE).enumerate() {
        let id = format!("workflows.{number}");
        add(id.clone(), "WorkflowCatalog", workflows(&id, range));
    }
    for number in 0..size.overlays {
        let id = format!("overlays.{number}");
        add(id.clone(), "Overlay", overlay(&id, number));
    }
    let mut text = header("Package", "package.generated");
    text = text.replace("metadata: {", "metadata: {version: 1.0.0, ");
    text.push_str("spec:\n  packageId: generated.uiap\n  version: 1.0.0\n  compatibility: {uiapCore: \">=0.1 <0.2\"}\n  manifests:\n");
    for (id, kind, path) in &listed {
        let _ = writeln!(text, "    - {{id: {id}, kind: {kind}, path: {path}}}");
    }
    files.push((PathBuf::from("package.uiap.yaml"), text));
    files
}

fn chunks(count: usize, size: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..count).step_by(size).map(move |start| start..(start + size).min(count))
}

fn header(kind: &str, id: &str) -> String {
    format!("apiVersion: uiap.authoring/v0.1\nkind: {kind}\nmetadata: {{id: {id}, reviewState: approved}}\n")
}

fn app() -> String {
    let mut text = header("App", "app.core");
    text.push_str("spec:\n  appId: generated\n  displayName: Generated\n  defaultLocale: en\n");
    text
}

fn bindings(id: &str, elements: std::ops::Range<usize>) -> String {
    let mut text = header("Bindings", id);
    let route = format!("route.{}", elements.start);
    let _ = write!(
        text,
        "spec:\n  routes:\n    - id: {route}\n      match:\n        - kind: path\n          value: /pages/{}\n  elements:\n",
        elements.start
    );
    for element in elements {
        let _ = write!(
            text,
            "    - id: element.{element}\n      routeIds:\n        - {route}\n      role: button\n      name: Button {element}\n      meaning: Does thing number {element} of the page.\n      match:\n        - by: annotation\n          attr: data-uiap-id\n          value: element.{element}\n        - by: semantic\n          role: button\n          name: Button {element}\n      risk: safe\n"
        );
    }
    text
}

fn actions(id: &str, range: std::ops::Range<usize>) -> String {
    let mut text = header("Actions", id);
    text.push_str("spec:\n  actions:\n");
    for action in range {
        let _ = write!(
            text,
            "    - id: thing.do{action}\n      kind: domain\n      title: Do thing {action}\n      description: Does thing number {action}, which can be done again.\n      targetKinds:\n        - element\n      executionModes:\n        - appAction\n        - semanticUi\n      args:\n        - name: reason\n          type: string\n          required: true\n          description: Why.\n      idempotency: idempotent\n      risk:\n        level: safe\n      success:\n        - kind: toast.contains\n          text: done {action}\n      implementation:\n        kind: sdkHandler\n        ref: things.do{action}\n"
        );
    }
    text
}

fn workflows(id: &str, range: std::ops::Range<usize>) -> String {
    let mut text = header("WorkflowCatalog", id);
    text.push_str("spec:\n  workflows:\n");
    for workflow in range {
        let _ = write!(
            text,
            "    - definition:\n        id: workflow.{workflow}\n        version: 1.0.0\n        title: Workflow {workflow}\n        category: task\n        startMode: manual\n        interactionModes:\n          - guide\n        initialStepId: intro\n        steps:\n          - id: intro\n            type: instruction\n            text: This is workflow {workflow}.\n            next: act\n          - id: act\n            type: action\n            actionId: thing.do{}\n            args:\n              reason: because\n            next: done\n          - id: done\n            type: complete\n",
            workflow * 5
        );
    }
    text
}

/// Every patch is about an element of its own, so that no two overlays are in each other's way.
fn overlay(id: &str, number: usize) -> String {
    let mut text = header("Overlay", id);
    text.push_str("spec:\n  selector:\n    channels:\n      - dev\n  patches:\n");
    for patch in 0..PATCHES_PER_OVERLAY {
        let _ = write!(
            text,
            "    - manifestId: bindings.{number}\n      path: /spec/elements/{patch}/name\n      op: replace\n      value: Changed {number} {patch}\n"
        );
    }
    text
}

/// The same number of objects and patches as kustomize knows them.
pub(crate) fn kustomization(size: Size) -> Files {
    let mut resources = String::new();
    for object in 0..size.objects() {
        let _ = write!(
            resources,
            "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: object-{object}\ndata:\n  role: button\n  name: Button {object}\n  meaning: Does thing number {object} of the page.\n  risk: safe\n"
        );
    }
    let mut text = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- resources.yaml\npatches:\n".to_owned();
    for patch in 0..size.patches() {
        let _ = write!(
            text,
            "- target:\n    kind: ConfigMap\n    name: object-{patch}\n  patch: |-\n    - op: replace\n      path: /data/name\n      value: Changed {patch}\n"
        );
    }
    vec![(PathBuf::from("resources.yaml"), resources), (PathBuf::from("kustomization.yaml"), text)]
}

/// Writes files into a folder.
pub(crate) fn write(files: &Files, folder: &Path) -> std::io::Result<()> {
    for (path, text) in files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, text)?;
    }
    Ok(())
}
