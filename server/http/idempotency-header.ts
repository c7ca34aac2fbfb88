// The Idempotency-Key header, with one rule for REST and pages.
import { protocolFailure } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";

/** The key, or null without one. Throws `invalid_request` if it is malformed. */
export function idempotencyKeyOf(headers: { get(name: string): string | null }): string | null {
  const key = headers.get("idempotency-key");
  if (key !== null && !(key.length <= limits.idempotencyKey && /^[\x21-\x7e]+$/.test(key))) {
    throw protocolFailure("invalid_request", "Idempotency-Key: must be 1 to 255 visible ASCII characters");
  }
  return key;
}
