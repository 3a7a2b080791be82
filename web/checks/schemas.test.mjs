// An independent validator must agree with ours: the same cases, the generated schemas, Ajv as the judge.
//
// Reads spec/cases/documents as the Rust test does: a sound document passes, every broken one is refused unless
// the case says that a schema cannot see what is wrong ("schema: blind").

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import Ajv2020 from "ajv/dist/2020.js";
import { parse } from "yaml";

const root = new URL("../../spec/", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
for (const file of readdirSync(new URL("schemas/", root))) {
  ajv.addSchema(JSON.parse(read(`schemas/${file}`)));
}

const validatorOf = (kind, type) => {
  const id = `urn:uiap:0.1:${kind}`;
  return type ? ajv.compile({ $ref: `${id}#/$defs/${type}` }) : ajv.getSchema(id);
};

const apply = (change, document) => {
  const pointer = change.remove ?? change.set;
  const steps = pointer.slice(1).split("/").map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = steps.pop();
  const parent = steps.reduce((value, step) => value[step], document);
  if ("remove" in change) {
    assert.ok(last in parent, `${pointer} finds nothing`);
    delete parent[last];
  } else {
    parent[last] = change.to;
  }
};

const files = readdirSync(new URL("cases/documents/", root)).filter((file) => file.endsWith(".yaml"));

test("there are cases", () => assert.ok(files.length > 0));

for (const file of files) {
  const { kind, type, document, refused } = parse(read(`cases/documents/${file}`));
  const validate = validatorOf(kind, type);

  test(`${file}: the document passes`, () => {
    assert.ok(validate(document), JSON.stringify(validate.errors, null, 2));
  });

  for (const { what, change, schema } of refused) {
    test(`${file}: ${what} is ${schema === "blind" ? "beyond a schema" : "refused"}`, () => {
      const broken = structuredClone(document);
      change.forEach((step) => apply(step, broken));
      assert.equal(validate(broken), schema === "blind", JSON.stringify(broken));
    });
  }
}
