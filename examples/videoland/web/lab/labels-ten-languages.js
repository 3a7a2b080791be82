import { h } from "../ui/dom.js";

// "Delete account" in ten languages; one of each is as dangerous as the German one.
const LABELS = [
  ["de", "Konto löschen"], ["en", "Delete account"], ["fr", "Supprimer le compte"], ["es", "Eliminar cuenta"], ["pl", "Usuń konto"],
  ["tr", "Hesabı sil"], ["ru", "Удалить аккаунт"], ["ar", "حذف الحساب"], ["zh", "删除账户"], ["ja", "アカウントを削除"],
];

export default {
  id: "ten_languages",
  texts: {
    de: { title: "Gefährlich in zehn Sprachen", about: "Jeder Knopf löscht ein Konto, wie immer er heißt." },
    en: { title: "Dangerous in ten languages", about: "Every button deletes an account, whatever it is called." },
  },
  render: ({ effect }) => h("div", { class: "toolbar" }, LABELS.map(([lang, label]) =>
    h("button", { type: "button", lang, dir: "auto", onclick: () => effect({ deleted: lang }) }, label))),
};
