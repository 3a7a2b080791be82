// Which names of members are ours alone, so that they may be short.
//
// A name is ours if wherever it stands in the sources of the SDK it is a member of a class or of a type that never leaves
// the page's own memory. One that also stands for anything else there (what the application sees, a key of something written
// as JSON) keeps its letters, and so does one that occurs as a text: it may be looked up by it. So does every name that the
// browser, the language or the protocol declares, whether or not it is used.

import { fileURLToPath } from "node:url";
import ts from "typescript";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const SOURCES = [path("src/"), path("../publisher/src/")];
/** Types that are handed around inside, and nowhere else. */
const INSIDE = new Set(["Area", "Candidate", "Gathering", "Happening", "Head", "Hit", "Kept", "Kind", "Looks", "Made", "Place", "Pressing", "Reader", "SheetFacts", "Surroundings", "Wanted", "Watched"]);
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** The names that are ours, each with the short one that takes its place. */
export function shortNames(entries) {
  const program = ts.createProgram(entries, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, resolveJsonModule: true, strict: true, types: [] });
  const checker = program.getTypeChecker();
  const [counts, kept, all] = [new Map(), new Set(), new Set()];
  const visit = (node) => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) && (!node.text.includes(" ") || isList(node))) for (const word of node.text.split(" ")) kept.add(word);
    const name = memberName(node);
    if (name && isOurs(symbolAt(checker, name))) counts.set(name.text, (counts.get(name.text) ?? 0) + 1);
    else if (name) kept.add(name.text);
    if (name) all.add(name.text);
    ts.forEachChild(node, visit);
  };
  for (const file of program.getSourceFiles()) {
    if (SOURCES.some((folder) => file.fileName.startsWith(folder))) visit(file);
    else declared(file, kept);
  }
  const ours = [...counts].filter(([name]) => !kept.has(name)).sort(([one, often], [other, rarely]) => rarely - often || (one < other ? -1 : 1));
  const free = short(all);
  return Object.fromEntries(ours.map(([name]) => [name, free.next().value]));
}

/** The names of all members that a file of others declares: the browser's, the language's, the protocol's. */
function declared(node, into) {
  if ((ts.isTypeElement(node) || ts.isClassElement(node)) && node.name && ts.isIdentifier(node.name)) into.add(node.name.text);
  ts.forEachChild(node, (child) => { declared(child, into); });
}

/** The name of a member where it is declared, written or read. */
function memberName(node) {
  if (ts.isPropertyAccessExpression(node)) return ts.isPrivateIdentifier(node.name) ? undefined : node.name;
  if (ts.isBindingElement(node)) return ts.isObjectBindingPattern(node.parent) && !node.dotDotDotToken ? (node.propertyName ?? node.name) : undefined;
  const isMember = ts.isClassElement(node) || ts.isTypeElement(node) || ts.isObjectLiteralElementLike(node) || (ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, node.parent));
  return isMember && node.name && ts.isIdentifier(node.name) ? node.name : undefined;
}

/** Words behind one another, to be split. */
function isList({ parent: around }) {
  for (let at = around; ts.isBinaryExpression(at) || ts.isParenthesizedExpression(at) || ts.isPropertyAccessExpression(at); at = at.parent) if (ts.isPropertyAccessExpression(at)) return at.name.text === "split";
  return false;
}

/** What a name stands for: in an object, the member of the type that is expected there. */
function symbolAt(checker, name) {
  const { parent } = name;
  if (ts.isBindingElement(parent)) return checker.getTypeAtLocation(parent.parent).getProperty(name.text);
  if (ts.isObjectLiteralExpression(parent.parent) && parent.name === name) return checker.getContextualType(parent.parent)?.getProperty(name.text);
  return checker.getSymbolAtLocation(name);
}

const isOurs = (symbol) => symbol?.declarations?.every(isInside) ?? false;

function isInside(declaration) {
  const file = declaration.getSourceFile().fileName;
  if (!SOURCES.some((folder) => file.startsWith(folder)) || file.endsWith("/api.ts")) return false;
  const owner = ts.isParameter(declaration) ? declaration.parent.parent : declaration.parent;
  return ts.isClassLike(owner) || (ts.isInterfaceDeclaration(owner) && INSIDE.has(owner.name.text));
}

function* short(taken) {
  for (const first of ["", ...LETTERS]) for (const second of LETTERS) if (!taken.has(first + second)) yield first + second;
}
