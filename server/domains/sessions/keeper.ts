// The interface to the session library. Its only implementation is lucia.ts.
import type { Tx } from "@/db/client";
import type { Ending, NewSession, SessionRow } from "./store";
import type { Caller } from "./token-store";

/** The state of a session at an instant: sessions expire with time, and end by an operation. */
type SessionState = "live" | "expired" | "ended";

export interface SessionKeeper {
  /** Inserts a new session under the public id we chose. The secret is a token, which the keeper never sees. */
  open(tx: Tx, session: NewSession): Promise<void>;
  /** The state at `now` of a session that was read together with its user. Reads nothing else. */
  stateOf(caller: Pick<Caller, "session" | "user">, now: number): Promise<SessionState>;
  /** The user's live sessions at `now`, oldest first. */
  liveOf(tx: Tx, userId: string, now: number): Promise<{ id: string }[]>;
  /** Ends a session and keeps its row; undefined if it had already ended. The caller has locked the session. */
  end(tx: Tx, sessionId: string, ending: Ending): Promise<SessionRow | undefined>;
}
