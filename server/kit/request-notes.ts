// What becomes known of a request on its way, for its line in the log and for what it is charged.

import { ownTurns, type RequestTurns } from "@/server/fairness/turns";
import type { Actor } from "@/server/kit/context";
import { isOwnServer } from "@/server/process/lifecycle";

export interface RequestNotes {
  requestId: string | null;
  /** Ids of the operations that were performed for it; a page may need several. */
  readonly operations: string[];
  actor: Actor | null;
  /** Who limits count it for; see `callerKey`. */
  callerKey: string | null;
  /** Whether limits count it by its path, as they do pages; else its operations are counted. */
  isCounted: boolean;
  errorCode: string | null;
  readonly turns: RequestTurns;
}

export const newNotes = (turns: RequestTurns = ownTurns): RequestNotes => ({
  requestId: null,
  operations: [],
  actor: null,
  callerKey: null,
  isCounted: false,
  errorCode: null,
  turns,
});

/** Carries the request's id to the pages' framework; our own server sets it over whatever the caller sent. */
export const REQUEST_ID_HEADER = "x-request-id";

/** Shared between our bundle and Next's: notes of requests that Next is answering. */
const SLOT = Symbol.for("quittance.requests");
const shared = globalThis as typeof globalThis & { [SLOT]?: Map<string, RequestNotes> };
shared[SLOT] ??= new Map();
const underWay = shared[SLOT];

/** Lets {@link requestUnderWay} find the notes until the returned function is called. */
export function shareNotes(requestId: string, notes: RequestNotes): () => void {
  underWay.set(requestId, notes);
  return () => void underWay.delete(requestId);
}

/** The notes that our own server made for the request; undefined under another host. */
export function requestUnderWay(headers: { get(name: string): string | null }): RequestNotes | undefined {
  const requestId = isOwnServer() ? headers.get(REQUEST_ID_HEADER) : null;
  return requestId === null ? undefined : underWay.get(requestId);
}

/** The fields of a request's line in the log that say who called, for what, and why it was refused. */
export const callerFields = ({ operations, actor, errorCode }: RequestNotes, address: string | null) => ({
  address,
  caller: actor === null ? null : idOf(actor),
  session: actor?.type === "user" ? actor.sessionId : null,
  operation: operations.length > 0 ? operations.join(",") : null,
  error_code: errorCode,
});

function idOf(actor: Actor): string {
  switch (actor.type) {
    case "anonymous":
      return "anonymous";
    case "user":
      return actor.userId;
    case "api_key":
      return actor.keyId;
  }
}
