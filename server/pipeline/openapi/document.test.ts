// The OpenAPI document is complete enough for generators: types, names, examples, codes and parameter styles.
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { errorMeanings } from "@/server/kit/errors";
import type { Operation } from "@/server/kit/operation";
import { operations } from "../operations";
import { onRest, openApiOf } from "./document";
import { requestExamplesOf, responseExampleOf } from "./examples";
import { refusalsOf } from "./responses";

type Json = Record<string, unknown>;
type Parameter = { $ref?: string; name: string; in: string; style?: string; explode?: boolean; example: unknown };
type Content = Record<string, { schema: Json; example?: unknown; examples?: Record<string, { value: unknown }> }>;
type Response = { $ref?: string; content?: Content };
type Described = {
  operationId: string;
  tags: string[];
  security?: Json[];
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Response>;
};

const all = onRest(operations as Record<string, Record<string, Operation>>);
const document = openApiOf(operations);
const paths = document.paths as Record<string, Record<string, Described>>;
const components = document.components as Record<"schemas" | "parameters" | "responses", Record<string, Json>>;

const rows = all.map((operation) => {
  const { method = "", path = "" } = operation.rest ?? {};
  const described = paths[path]?.[method.toLowerCase()];
  if (!described) throw new Error(`${operation.id} is not in the document.`);
  return { id: operation.id, at: ["paths", path, method.toLowerCase()], operation, described };
});
const rowOf = (id: string) => rows.find((row) => row.id === id)?.described;

const formats = {
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  email: /@/,
  password: true,
} as const;
const ajv = new Ajv2020({ strict: false, allErrors: true, formats }).addSchema(document, "openapi");
const pointer = (...at: string[]) =>
  `openapi#/${at.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;

/** Why the value does not match the schema at this place of the document; null if it does. */
const faultOf = (value: unknown, ...at: string[]): string | null => {
  const validate = ajv.getSchema(pointer(...at));
  return validate?.(value) ? null : ajv.errorsText(validate?.errors);
};

const resolve = <T extends { $ref?: string }>(part: T, kind: "parameters" | "responses"): T =>
  part.$ref ? (components[kind][part.$ref.split("/").at(-1) ?? ""] as T) : part;

test("the schema of a parameter has keywords of JSON Schema only", () => {
  const parameters = rows.flatMap(({ described }) => described.parameters).map((one) => resolve(one, "parameters"));
  const odd = parameters.filter((one) => "param" in ((one as { schema?: Json }).schema ?? {}));
  expect(odd.map(({ name }) => name)).toEqual([]);
  expect(JSON.stringify(document)).not.toContain('"param":');
});

test("no secret is in a path or a query, where servers and browsers log it", () => {
  const named = rows.flatMap(({ id, described }) =>
    described.parameters
      .map((parameter) => resolve(parameter, "parameters"))
      .filter(({ in: place, name }) => place !== "header" && /password|secret|token|otp|card|cvc/i.test(name))
      // Receipts show the last four digits of a card.
      .filter(({ name }) => name !== "card_last4")
      .map(({ name }) => `${id}: ${name}`),
  );
  expect(named).toEqual([]);
});

describe.each(rows)("$id", ({ operation, described, at }) => {
  test("has complete examples of its request, which the document and the operation accept", () => {
    if (!described.requestBody) return expect(operation.rest?.method).not.toBe("PATCH");
    const examples = Object.values(described.requestBody.content["application/json"]?.examples ?? {});
    expect(examples.length).toBeGreaterThan(0);
    const inPath = described.parameters.filter((parameter) => parameter.in === "path");
    for (const { value } of examples) {
      expect(faultOf(value, ...at, "requestBody", "content", "application/json", "schema")).toBeNull();
      const input = { ...(value as Json), ...Object.fromEntries(inPath.map(({ name, example }) => [name, example])) };
      expect(operation.input.safeParse(input).error?.issues ?? []).toEqual([]);
    }
    expect(described.requestBody.content["application/json"]?.examples).toEqual(requestExamplesOf(operation));
  });

  test("has an example of its success, which the document and the operation accept", () => {
    const content = described.responses["200"]?.content ?? {};
    for (const [type, { example }] of Object.entries(content)) {
      expect(example, type).toBeDefined();
      expect(faultOf(example, ...at, "responses", "200", "content", type, "schema")).toBeNull();
    }
    if (operation.rest?.mediaTypes) return expect(Object.keys(content)).toEqual(operation.rest.mediaTypes);
    expect(operation.output.safeParse(responseExampleOf(operation)).error?.issues ?? []).toEqual([]);
  });

  test("has an example of each parameter", () => {
    for (const [i, given] of described.parameters.entries()) {
      const { $ref, ...parameter } = resolve(given, "parameters");
      expect(parameter.example, parameter.name).toBeDefined();
      const place = given.$ref ? given.$ref.slice(2).split("/") : [...at, "parameters", String(i)];
      expect(faultOf(parameter.example, ...place, "schema"), parameter.name).toBeNull();
    }
  });

  test("names the codes of each status, with examples", () => {
    const expected: Record<string, string[]> = {};
    for (const [code, status] of refusalsOf(operation)) expected[status] = [...(expected[status] ?? []), code];
    const found = Object.entries(described.responses).flatMap(([status, given]) => {
      const content = resolve(given, "responses").content?.["application/json"];
      if (Number(status) < 400) return [];
      const schema = content?.schema as { allOf: [Json, { properties: { error_code: { enum: string[] } } }] };
      for (const { value } of Object.values(content?.examples ?? {})) {
        const place = given.$ref ? given.$ref.slice(2).split("/") : [...at, "responses", status];
        expect(faultOf(value, ...place, "content", "application/json", "schema")).toBeNull();
      }
      expect(Object.keys(content?.examples ?? {})).toEqual(schema.allOf[1].properties.error_code.enum);
      return [[status, schema.allOf[1].properties.error_code.enum]];
    });
    expect(Object.fromEntries(found)).toEqual(expected);
  });
});

test("an operation without examples has those of its record and of the fields of its body", () => {
  const { payments, transactions } = operations as unknown as Record<string, Record<string, Operation>>;
  const named = (operation: Operation | undefined) => ({ ...operation, id: "payments.imagined" }) as Operation;
  const payment = named(payments?.cancel);
  expect(payment.output.safeParse(responseExampleOf(payment)).success).toBe(true);
  const example = requestExamplesOf(named(payments?.create)).example as { value: Json };
  expect(example.value).toMatchObject({ account_id: expect.stringMatching(/^acct_/) });
  expect(requestExamplesOf(named(payments?.capture))).not.toHaveProperty("example.value.payment_id");
  expect(() => responseExampleOf(named(transactions?.export))).toThrow("no example of its response");
});

test("every schema states its type", () => {
  const untyped: string[] = [];
  const visit = (schema: unknown, at: string): void => {
    if (typeof schema !== "object" || schema === null) return;
    const { properties, items, additionalProperties, propertyNames, ...rest } = schema as Json;
    const says = ["type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"].some((keyword) => keyword in rest);
    // Any JSON value: the description of the API itself, and what operations note in the audit log.
    if (!says && !["#/OpenApiDocument/*", "#/AuditEntry/detail/*"].includes(at)) untyped.push(at);
    for (const [name, inner] of Object.entries(properties ?? {})) visit(inner, `${at}/${name}`);
    for (const list of ["anyOf", "oneOf", "allOf"]) {
      for (const [i, inner] of Object.entries(rest[list] ?? [])) visit(inner, `${at}/${list}/${i}`);
    }
    visit(items, `${at}[]`);
    visit(additionalProperties, `${at}/*`);
    visit(propertyNames, `${at}/<name>`);
  };
  for (const [name, schema] of Object.entries(components.schemas)) visit(schema, `#/${name}`);
  for (const { id, described } of rows) {
    for (const given of described.parameters) {
      const parameter = resolve(given, "parameters") as Parameter & { schema: Json };
      visit(parameter.schema, `${id} ${parameter.name}`);
    }
  }
  expect(untyped).toEqual([]);
});

test("every body is a named component", () => {
  const unnamed = rows.flatMap(({ id, described }) => {
    const bodies = [described.requestBody, described.responses["200"]];
    const schemas = bodies.map((body) => body?.content?.["application/json"]?.schema);
    return schemas.filter((schema) => schema && !("$ref" in schema)).map(() => id);
  });
  expect(unnamed).toEqual([]);
});

test("a body of several forms has a discriminator that names each form", () => {
  const unions = Object.entries(components.schemas).filter(([, schema]) => "oneOf" in schema);
  expect(unions.map(([name]) => name)).toEqual(["CreateTransaction"]);
  for (const [, { oneOf, discriminator }] of unions) {
    const { propertyName, mapping } = discriminator as { propertyName: string; mapping: Record<string, string> };
    expect(propertyName).toBe("type");
    expect(Object.values(mapping)).toEqual((oneOf as { $ref: string }[]).map(({ $ref }) => $ref));
    for (const [value, $ref] of Object.entries(mapping)) {
      const { properties } = components.schemas[$ref.split("/").at(-1) ?? ""] as { properties: { type: Json } };
      expect(properties.type).toMatchObject({ const: value });
    }
  }
});

test("lists in a query have commas, and metadata has its key in brackets", () => {
  const style = (id: string, name: string) => {
    const { style, explode } = rowOf(id)?.parameters.find((parameter) => parameter.name === name) ?? {};
    return { style, explode };
  };
  for (const [id, name] of [
    ["transactions.list", "status"],
    ["transactions.export", "columns"],
    ["transactions.export", "transaction_id"],
    ["accounts.list", "account_type"],
    ["sessions.list", "status"],
  ] as const) {
    expect(style(id, name)).toEqual({ style: "form", explode: false });
  }
  for (const name of ["metadata", "customer_metadata"]) {
    expect(style("transactions.list", name)).toEqual({ style: "deepObject", explode: true });
  }
});

test("refreshing takes the refresh token, signing in none, and everything else an access token", () => {
  const security = rows.map(({ id, described }) => [id, described.security]);
  expect(security.filter(([, rule]) => rule !== undefined)).toEqual([
    ["sessions.login", []],
    ["sessions.refresh", [{ refreshToken: [] }]],
    ["users.create", [{}, { bearer: [] }]],
    ["documents.openapi", []],
  ]);
});

test("the codes are those that the operations can return, and those of unknown paths and methods", () => {
  const codes = new Set(all.flatMap((operation) => refusalsOf(operation).map(([code]) => code)));
  const schema = components.schemas.ErrorCode as { enum: string[] };
  expect(schema.enum).toEqual([...codes, "unknown_path", "method_not_allowed"].sort());
  for (const code of schema.enum) expect(Object.keys(errorMeanings)).toContain(code);
});
