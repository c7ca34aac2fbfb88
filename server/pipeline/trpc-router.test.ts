// Errors that tRPC itself raises are the caller's fault and answered as such.
import { TRPCError } from "@trpc/server";
import { expect, it } from "vitest";
import { protocolFailure } from "@/server/kit/errors";
import { failureOf } from "./trpc-router";

it.each([
  ["PARSE_ERROR", 400, "invalid_json"],
  ["BAD_REQUEST", 400, "invalid_request"],
  ["NOT_FOUND", 404, "unknown_path"],
  ["METHOD_NOT_SUPPORTED", 405, "method_not_allowed"],
  ["PAYLOAD_TOO_LARGE", 413, "payload_too_large"],
  ["UNSUPPORTED_MEDIA_TYPE", 415, "unsupported_media_type"],
  ["INTERNAL_SERVER_ERROR", 500, "internal_error"],
] as const)("%s is %s %s", (code, status, errorCode) => {
  expect(failureOf(new TRPCError({ code }))).toMatchObject({ status, code: errorCode });
});

it("keeps our own refusals and hides everything else", () => {
  const refusal = protocolFailure("rate_limited");
  expect(failureOf(new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: refusal }))).toBe(refusal);
  expect(failureOf(new Error("select * from users"))).toMatchObject({ status: 500, code: "internal_error" });
});
