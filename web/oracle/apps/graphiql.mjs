// GraphiQL over a schema that lives in the page.

import { npmPackages, staticServer } from "../machine.mjs";

export const name = "GraphiQL";
export const packages = "npm graphiql 3.8.3";

const page = `<!doctype html><html lang="en"><head><title>GraphiQL</title><link rel="stylesheet" href="/modules/graphiql/graphiql.min.css"><style>body,html,#root{height:100vh;margin:0}</style></head>
<body><div id="root"></div><script src="/modules/react/umd/react.production.min.js"></script><script src="/modules/react-dom/umd/react-dom.production.min.js"></script>
<script src="/modules/graphiql/graphiql.min.js"></script><script>
const named = (kind, name, rest) => ({ kind, name, description: null, fields: null, inputFields: null, interfaces: null, enumValues: null, possibleTypes: null, ...rest });
const text = { kind: "SCALAR", name: "String", ofType: null };
const field = (name, type, args = []) => ({ name, description: "The " + name, args, type, isDeprecated: false, deprecationReason: null });
const types = [named("SCALAR", "String"), named("SCALAR", "Boolean"), named("OBJECT", "Film", { interfaces: [], fields: [field("title", text), field("director", text)] }),
  named("OBJECT", "Query", { interfaces: [], fields: [field("film", { kind: "OBJECT", name: "Film", ofType: null }, [{ name: "id", description: null, type: text, defaultValue: null }]), field("version", text)] })];
const data = { __schema: { queryType: { name: "Query" }, mutationType: null, subscriptionType: null, types, directives: [] } };
ReactDOM.createRoot(document.querySelector("#root")).render(React.createElement(GraphiQL, { fetcher: async () => ({ data }), defaultQuery: "{ version }" }));
</script></body></html>`;

export async function start(scratch) {
  const modules = npmPackages(scratch, "graphiql", ["graphiql@3.8.3", "react@18.3.1", "react-dom@18.3.1", "graphql@16.11.0"]);
  const server = await staticServer({ "/modules/": modules }, { "/": page });
  const open = async (browserPage) => {
    await browserPage.send("Page.navigate", { url: `${server.origin}/` });
    await browserPage.until(() => document.querySelector(".graphiql-execute-button") !== null && document.querySelectorAll(".CodeMirror").length >= 3);
  };
  const pressed = (title, label, ready) => ({
    title,
    open: async (browserPage) => {
      await open(browserPage);
      await browserPage.run((wanted) => document.querySelector(`button[aria-label="${wanted}"]`).click(), label);
      await browserPage.until(ready);
    },
  });
  return {
    stop: server.stop,
    pages: [
      { title: "editor", open },
      pressed("documentation", "Show Documentation Explorer", () => document.querySelector(".graphiql-doc-explorer a") !== null),
      pressed("history", "Show History", () => document.querySelector(".graphiql-history") !== null),
      pressed("settings dialog", "Open settings dialog", () => document.querySelector("[role=dialog]") !== null),
      pressed("short keys dialog", "Open short keys dialog", () => document.querySelector("[role=dialog]") !== null),
    ],
  };
}
