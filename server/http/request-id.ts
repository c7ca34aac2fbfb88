// The id of a request, which its response, its log line and its audit entries carry.
import { newId } from "@/server/kit/ids";
import { limits } from "@/server/kit/limits";

/** The sender's own id, from the header Request-Id, if it is usable; otherwise a new one. */
export function requestIdOf(given: string | string[] | null | undefined): string {
  const isUsable = typeof given === "string" && given.length <= limits.requestId && /^[A-Za-z0-9._-]+$/.test(given);
  return isUsable ? given : newId("req", Date.now());
}
