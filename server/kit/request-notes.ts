// What the server learns about a request while it runs, for its log line and its rate limit.

import { ownTurns, type RequestTurns } from "@/server/fairness/turns";
import type { Actor } from "@/server/kit/context";
import { idOf, userOf } from "@/server/kit/identity";
import { isOwnServer } from "@/server/process/lifecycle";

export interface RequestNotes {
  requestId: string | null;
  /** Ids of the operations performed. A page may need several. */
  readonly operations: string[];
  actor: Actor | null;
  /** The key under which limits count the caller; see `callerKey`. */
  callerKey: string | null;
  /** Whether limits count the request by its path, as for pages. Otherwise its operations are counted. */
  isCounted: boolean;
  errorCode: string | null;
  readonly turns: RequestTurns;
}

/** The empty notes of a new request. Without a server that schedules turns, its work just yields. */
export const newNotes = (turns: RequestTurns = ownTurns): RequestNotes => ({
  requestId: null,
  operations: [],
  actor: null,
  callerKey: null,
  isCounted: false,
  errorCode: null,
  turns,
});

/** Passes the request id to Next. Our own server overwrites the caller's header. */
export const requestIdHeader = "x-request-id";

/** Shared between our bundle and Next's: notes of the requests that Next is answering. */
const slot = Symbol.for("quittance.requests");
const shared = globalThis as typeof globalThis & { [slot]?: Map<string, RequestNotes> };
shared[slot] ??= new Map();
const underWay = shared[slot];

/** Makes the notes available to {@link requestUnderWay} until the returned function is called. */
export function shareNotes(requestId: string, notes: RequestNotes): () => void {
  underWay.set(requestId, notes);
  return () => void underWay.delete(requestId);
}

/** The notes that our own server made for the request; undefined under another host. */
export function requestUnderWay(headers: { get(name: string): string | null }): RequestNotes | undefined {
  const requestId = isOwnServer() ? headers.get(requestIdHeader) : null;
  return requestId === null ? undefined : underWay.get(requestId);
}

/** The fields of a request's log line: who called, what was called, and why it was refused. */
export const callerFields = ({ operations, actor, errorCode }: RequestNotes, address: string | null) => ({
  address,
  caller: actor === null ? null : (idOf(actor) ?? actor.type),
  session: actor === null ? null : (userOf(actor)?.sessionId ?? null),
  operation: operations.length > 0 ? operations.join(",") : null,
  error_code: errorCode,
});
