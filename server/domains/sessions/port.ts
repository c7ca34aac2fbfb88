// The interface behind which sessions are kept. Its one implementation is lucia.ts.
import type { Tx } from "@/db/client";
import type { Ending, NewSession, SessionRow } from "./store";
import type { Caller } from "./token-store";

/** Whether a session stands at an instant: time alone lets it expire, an act ends it. */
export type Standing = "standing" | "expired" | "ended";

export interface SessionKeeper {
  /** Makes the row of a new session. Its public id is chosen by us; the secret is a token, which the keeper never sees. */
  open(tx: Tx, session: NewSession): Promise<void>;
  /** Whether a session that was read together with its user stands at `now`. Reads nothing more. */
  standing(caller: Pick<Caller, "session" | "user">, now: number): Promise<Standing>;
  /** The user's sessions that stand at `now`, oldest first. */
  standingOf(tx: Tx, userId: string, now: number): Promise<{ id: string }[]>;
  /** Ends a session, whose row stays; undefined if it had ended before. The caller holds the row. */
  end(tx: Tx, sessionId: string, ending: Ending): Promise<SessionRow | undefined>;
}
