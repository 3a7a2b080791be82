// Swagger UI over a small API with every kind of parameter.

import { join } from "node:path";
import { npmPackages, staticServer } from "../machine.mjs";

export const name = "Swagger UI";
export const packages = "npm swagger-ui-dist 5.34.1";

const parameter = (where, title, schema) => ({ name: title, in: where, schema, description: `The ${title}`, required: where === "path" });
const answers = { 200: { description: "Done", content: { "application/json": { schema: { $ref: "#/components/schemas/Film" } } } }, 404: { description: "Not there" } };
const film = { content: { "application/json": { schema: { $ref: "#/components/schemas/Film" } } } };
const api = {
  openapi: "3.0.3",
  info: { title: "Films", version: "1.0.0", description: "A small API.", contact: { url: "http://localhost/contact" } },
  servers: [{ url: "/api", description: "Here" }, { url: "/test", description: "There" }],
  tags: [{ name: "films", description: "All about films" }, { name: "people", description: "All about people" }],
  components: {
    schemas: { Film: { type: "object", properties: { id: { type: "integer" }, title: { type: "string" }, year: { type: "integer" } } } },
    securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" }, basic: { type: "http", scheme: "basic" } },
  },
  paths: {
    "/films": {
      get: { tags: ["films"], summary: "List films", parameters: [parameter("query", "limit", { type: "integer" }), parameter("query", "order", { type: "string", enum: ["title", "year"] }), parameter("query", "seen", { type: "boolean" }), parameter("query", "genres", { type: "array", items: { type: "string", enum: ["drama", "comedy"] } })], responses: answers },
      post: { tags: ["films"], summary: "Add a film", security: [{ key: [] }], requestBody: film, responses: answers },
    },
    "/films/{id}": {
      delete: { tags: ["films"], summary: "Remove a film", deprecated: true, parameters: [parameter("path", "id", { type: "integer" })], responses: answers },
      put: { tags: ["films"], summary: "Change a film", security: [{ basic: [] }], parameters: [parameter("path", "id", { type: "integer" })], requestBody: film, responses: answers },
    },
    "/people": { get: { tags: ["people"], summary: "List people", parameters: [parameter("header", "X-Page", { type: "integer" })], responses: answers } },
  },
};

const page = `<!doctype html><html lang="en"><head><title>Swagger UI</title><link rel="stylesheet" href="/swagger/swagger-ui.css"></head>
<body><div id="swagger-ui"></div><script src="/swagger/swagger-ui-bundle.js"></script><script src="/swagger/swagger-ui-standalone-preset.js"></script>
<script>window.ui = SwaggerUIBundle({ url: "/api.json", dom_id: "#swagger-ui", presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset], layout: "StandaloneLayout" });</script></body></html>`;

export async function start(scratch) {
  const modules = npmPackages(scratch, "swagger-ui", ["swagger-ui-dist@5.34.1"]);
  const server = await staticServer({ "/swagger/": join(modules, "swagger-ui-dist") }, { "/": page, "/api.json": JSON.stringify(api) });
  const open = async (browserPage) => {
    await browserPage.send("Page.navigate", { url: `${server.origin}/` });
    await browserPage.until(() => document.querySelectorAll(".opblock").length === 5);
  };
  const openAll = async (browserPage) => {
    await open(browserPage);
    await browserPage.run(() => { for (const button of document.querySelectorAll(".opblock-summary-control")) button.click(); });
    await browserPage.until(() => document.querySelectorAll(".try-out__btn").length === 5);
  };
  return {
    stop: server.stop,
    pages: [
      { title: "overview", open },
      { title: "operations opened", open: openAll },
      {
        title: "trying out",
        open: async (browserPage) => {
          await openAll(browserPage);
          await browserPage.run(() => { for (const button of document.querySelectorAll(".try-out__btn")) button.click(); });
          await browserPage.until(() => document.querySelectorAll(".execute").length === 5);
        },
      },
      {
        title: "authorisation dialog",
        open: async (browserPage) => {
          await open(browserPage);
          await browserPage.run(() => document.querySelector(".btn.authorize").click());
          await browserPage.until(() => document.querySelector(".modal-ux input") !== null);
        },
      },
    ],
  };
}
