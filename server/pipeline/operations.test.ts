// Compares the table of operations with the core interface, which is written out here independently.
import { describe, expect, test } from "vitest";
import { rules } from "@/server/access/rules";
import { type ErrorCode, errorMeanings, protocolErrors } from "@/server/kit/errors";
import type { Operation } from "@/server/kit/operation";
import { openApiOf } from "./openapi/document";
import { operations } from "./operations";

/** The fourteen rows of the core interface, each with the statuses of its domain failures. */
const documented: Record<string, number[]> = {
  "POST /v1/auth/login": [400],
  "POST /v1/auth/refresh": [401, 404],
  "DELETE /v1/auth/session": [401],
  "GET /v1/auth/accounts": [400],
  "POST /v1/accounts": [400],
  "PATCH /v1/accounts": [400],
  "DELETE /v1/auth/close": [400],
  "POST /v1/users": [400],
  "DELETE /v1/users/{user_id}": [400],
  "POST /v1/payments": [400],
  "GET /v1/payments/{payment_id}/status": [400],
  "POST /v1/transactions": [400],
  "GET /v1/transactions": [400],
  "GET /v1/transactions/{transaction_id}": [400],
};

/** The documented codes of each row, with their statuses. */
const documentedCodes: Record<string, Partial<Record<ErrorCode, number>>> = {
  "POST /v1/auth/refresh": {
    refresh_token_invalid: 401,
    refresh_token_expired: 401,
    session_not_found: 404,
    token_rotation_failed: 401,
  },
  "DELETE /v1/auth/session": {
    session_not_found: 401,
    session_already_invalidated: 401,
    insufficient_permissions: 401,
  },
};

const protocol = {
  invalid_json: 400,
  invalid_request: 400,
  unauthorized: 401,
  unknown_path: 404,
  method_not_allowed: 405,
  idempotency_key_in_use: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
};

const all = Object.entries(operations as Record<string, Record<string, Operation>>).flatMap(([domain, verbs]) =>
  Object.entries(verbs).map(([verb, operation]) => ({ name: `${domain}.${verb}`, operation })),
);
const rowOf = ({ rest }: Operation): string => `${rest?.method} ${rest?.path}`;
const onRest = all.map(({ operation }) => operation).filter(({ rest }) => rest !== undefined);
const findRow = (row: string) => onRest.find((operation) => rowOf(operation) === row);

describe("the table of operations", () => {
  test("has the documented rows, and marks all others as extensions", () => {
    const rows = onRest.filter(({ rest }) => rest?.extension !== true).map(rowOf);
    expect(rows.sort()).toEqual(Object.keys(documented).sort());
  });

  test.each(all)("$name is known by that name, has a rule of the access table and only known codes", (row) => {
    const { name, operation } = row;
    expect(operation.id).toBe(name);
    expect(Object.values(rules)).toContain(operation.access);
    for (const code of Object.keys(operation.errors)) expect(Object.keys(errorMeanings)).toContain(code);
    expect(operation.summary).not.toBe("");
  });

  test.each(Object.entries(documented))("%s refuses with only the documented statuses", (row, statuses) => {
    const errors = findRow(row)?.errors ?? {};
    for (const status of Object.values(errors)) expect(statuses).toContain(status);
    expect(errors).toMatchObject(documentedCodes[row] ?? {});
  });

  test("the protocol's failures have their fixed statuses", () => {
    expect(protocolErrors).toEqual(protocol);
  });

  test("only reads are GET", () => {
    for (const operation of onRest)
      expect([rowOf(operation), operation.effect === "read"]).toEqual([
        rowOf(operation),
        operation.rest?.method === "GET",
      ]);
  });
});

describe("the description", () => {
  type Described = { "x-extension"?: boolean; operationId: string; responses: Record<string, unknown> };
  const document = openApiOf(operations) as { openapi: string; paths: Record<string, Record<string, Described>> };
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, value]) => ({ row: `${method.toUpperCase()} ${path}`, ...value })),
  );

  test("is OpenAPI 3.1 and has every row, the extensions marked", () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(described.map(({ row }) => row).sort()).toEqual(onRest.map(rowOf).sort());
    const core = described.filter((operation) => operation["x-extension"] !== true).map(({ row }) => row);
    expect(core.sort()).toEqual(Object.keys(documented).sort());
  });

  test.each(described)("$row has the documented and the protocol's statuses", ({ row, responses }) => {
    const fixed = [200, 304, ...Object.values(protocol)];
    const known = [...(documented[row] ?? [400]), ...fixed].filter(
      (status) => status !== 404 || documented[row]?.includes(404),
    );
    for (const status of Object.keys(responses).map(Number)) expect(known).toContain(status);
    expect(responses).toHaveProperty("200");
  });
});
