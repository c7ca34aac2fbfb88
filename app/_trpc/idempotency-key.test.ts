// When a form's next try needs another Idempotency-Key: only after the server has decided about the request.
import { TRPCClientError } from "@trpc/client";
import { expect, it } from "vitest";
import { type ErrorCode, errorMeanings, Failure, protocolErrors } from "@/server/kit/errors";
import { isKept } from "@/server/pipeline/idempotency";
import { isDecided } from "./idempotency-key";

const refusal = (error_code: string, httpStatus: number) =>
  new TRPCClientError("refused", { result: { error: { data: { error_code, httpStatus } } } as never });

const codes = Object.keys(errorMeanings) as ErrorCode[];

it.each(codes)("after %s a form needs another key exactly if the server has stored the refusal", (code) => {
  const status = protocolErrors[code as keyof typeof protocolErrors] ?? 400;
  const isStored = isKept(new Failure(code, status)) && code !== "idempotency_key_in_use";
  expect(isDecided(refusal(code, status))).toBe(isStored);
});

it("a rate limit, an ended session and a running first try leave the outcome of that try open", () => {
  for (const [code, status] of [
    ["rate_limited", 429],
    ["unauthorized", 401],
    ["idempotency_key_in_use", 409],
  ] as const) {
    expect(isDecided(refusal(code, status))).toBe(false);
  }
  expect(isDecided(refusal("insufficient_balance", 400))).toBe(true);
});

it("a lost connection leaves it open", () => {
  expect(isDecided(new TRPCClientError("Failed to fetch"))).toBe(false);
  expect(isDecided(new TypeError("Failed to fetch"))).toBe(false);
});
