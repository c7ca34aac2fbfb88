// Checks common to all error responses: the status and code, a body of exactly two fields, and no change.
import { expect } from "playwright/test";
import type { Api, ApiError, ApiReply } from "../api";
import { type Person, succeeded } from "./people";
import { expectRecord, recordFields } from "./records";

/** The member's account and the numbers of its records: no refused request may change them. */
export async function stateOf(api: Api, person: Person): Promise<string> {
  const paths = [
    "/v1/payments?include_total=true",
    "/v1/transactions?include_total=true",
    `/v1/accounts/${person.accountId}`,
  ];
  const replies = await Promise.all(paths.map((path) => api("GET", path, { token: person.token })));
  return replies.map((reply) => JSON.stringify(succeeded(reply))).join("\n");
}

export function expectRefusal(reply: ApiReply<ApiError>, status: number, code: string, context = ""): void {
  expect({ status: reply.status, code: reply.body?.error_code }, `${context} ${reply.text}`).toEqual({ status, code });
  expectRecord(reply.body, recordFields.error);
  expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
  expect(reply.headers.get("cache-control")).toBe("no-store");
  expect(reply.headers.get("request-id")).toMatch(/^req_/);
  // No internals leak.
  expect(reply.text).not.toMatch(/\bat .+:\d+|node_modules|SQLITE|select |insert |ZodError|\/work|\.ts\b/);
}
