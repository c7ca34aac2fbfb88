// A page's HTTP request as operations see it: the key of a write is checked as in the REST interface.
import { expect, it } from "vitest";
import { parseEnv } from "@/server/process/env";
import type { Runtime } from "@/server/process/runtime";
import { callRequestOf } from "./call-request";

const runtime = { env: parseEnv({}), clock: { now: () => 0 } } as unknown as Runtime;
const keyIn = (key?: string) =>
  callRequestOf(new Headers(key === undefined ? {} : { "Idempotency-Key": key }), runtime, new AbortController().signal)
    .idempotencyKey;

it("accepts a well-formed Idempotency-Key, and refuses any other", () => {
  expect(keyIn()).toBeNull();
  expect(keyIn("a-key")).toBe("a-key");
  expect(keyIn("x".repeat(255))).toHaveLength(255);
  for (const key of ["", "a key", "é", "x".repeat(256)]) {
    expect(() => keyIn(key)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  }
});

it("ignores the address that a caller claims when our own server does not run", () => {
  const headers = new Headers({ "X-Caller-Address": "203.0.113.1", "X-Request-Id": "req_x" });
  const call = callRequestOf(headers, runtime, new AbortController().signal);
  expect(call.ip).toBeNull();
  expect(call.requestId).not.toBe("req_x");
});
