// Writes a program for each generated client that calls every operation with the examples of openapi.json, so that a
// new operation is compiled and called by both clients without a walk of its own.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The kinds of records that the examples name, by the prefix of their ids. The test has a real one of each. */
const kinds = {
  ...{ acct: "account", usr: "user", ses: "session", pay: "payment", txn: "transaction", cus: "customer" },
  ...{ sub: "subscription", key: "apiKey", inv: "invitation", mai: "mail" },
};

/** Reads leave everything as it is, and deletions leave little; the one of a session may end the caller's. */
const order = ["get", "post", "patch", "delete"];
const last = "sessions.invalidate";

const rankOf = ({ method, operation }) => (operation.operationId === last ? order.length : order.indexOf(method));

/** Writes `openapi-fetch.ts` and `hey-api.ts` into the folder. */
export function writeExamples(file, folder) {
  const document = JSON.parse(readFileSync(file, "utf8"));
  const calls = Object.entries(document.paths)
    .flatMap(([route, methods]) => Object.entries(methods).map(([method, operation]) => ({ route, method, operation })))
    .sort((a, b) => rankOf(a) - rankOf(b))
    .flatMap(({ route, method, operation }) =>
      callsOf(document, operation).map((call) => ({ ...call, route, method })),
    );
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "openapi-fetch.ts"), openApiFetch(calls));
  writeFileSync(path.join(folder, "hey-api.ts"), heyApi(calls));
}

/** The calls of an operation: with each body, and with each parameter of the query by itself. */
function callsOf({ components }, { operationId, parameters, requestBody, responses }) {
  const known = parameters.map((one) => ("$ref" in one ? components.parameters[one.$ref.split("/").at(-1)] : one));
  const inPath = known.filter((parameter) => parameter.in === "path");
  const isFile = !("application/json" in responses[200].content);
  const given = { operationId, isFile, path: Object.fromEntries(inPath.map(({ name, example }) => [name, example])) };
  const bodies = Object.values(requestBody?.content["application/json"].examples ?? {});
  const withBody = bodies.map(({ value: body }) => ({ ...given, body }));
  // Nothing would change while a call waits; the walks wait for a change that they make.
  const named = known.filter((parameter) => parameter.in === "query" && parameter.name !== "wait");
  const withQuery = requestBody?.required
    ? []
    : named.map(({ name, example }) => ({ ...given, query: { [name]: example } }));
  return [...(requestBody?.required ? [] : [given]), ...withBody, ...withQuery];
}

/** The value as TypeScript, with ids of real records. */
const textOf = (value) =>
  JSON.stringify(value).replaceAll(/"([a-z]+)_[0-9a-hjkmnp-tv-z]{26}"/g, (id, prefix) =>
    prefix in kinds ? `ids.${kinds[prefix]}` : id,
  );

const part = (name, value) => (value && Object.keys(value).length > 0 ? `${name}: ${textOf(value)}, ` : "");

const importOfIds = `import type { Ids } from "../../walks/walk";`;

const openApiFetch = (calls) => `import type { Client } from "../../walks/openapi-fetch/people";

${importOfIds}

export async function callExamples(client: Client, ids: Ids): Promise<void> {
${calls
  .map(
    ({ method, route, isFile, path: inPath, query, body }) =>
      `  await client.${method.toUpperCase()}("${route}", { params: { ${part("path", inPath)}${part("query", query)}}, ${isFile ? 'parseAs: "text", ' : ""}${body ? `body: ${textOf(body)} ` : ""}});`,
  )
  .join("\n")}
}
`;

const heyApi = (calls) => `import * as api from "../hey-api";
import type { Client } from "../hey-api/client";

${importOfIds}

export async function callExamples(client: Client, ids: Ids): Promise<void> {
${calls
  .map(
    ({ operationId, path: inPath, query, body }) =>
      `  await api.${functionOf(operationId)}({ client, ${part("path", inPath)}${part("query", query)}${body ? `body: ${textOf(body)} ` : ""}});`,
  )
  .join("\n")}
}
`;

/** `mails.resend` becomes `mailsResend`. */
const functionOf = (operationId) => operationId.replaceAll(/\.(.)/g, (_, letter) => letter.toUpperCase());
