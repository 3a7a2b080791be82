import { labGraphql } from "../api.js";

export default {
  id: "graphql",
  texts: {
    de: { title: "GraphQL", about: "Lesen und Schreiben gehen als POST an dieselbe Adresse.", read: "Zählen", write: "Mögen", likes: "{likes} mögen das" },
    en: { title: "GraphQL", about: "Reading and writing are POSTs to the same address.", read: "Count", write: "Like it", likes: "{likes} like this" },
  },
  render({ t, button, result }) {
    const shown = result();
    const send = (query) => async () => {
      const { data } = await labGraphql(query);
      shown.textContent = t("likes", data);
    };
    return [button("read", send("query { likes }")), button("write", send("mutation { like { likes } }")), shown];
  },
};
