// Lucia behind the interface in keeper.ts. Lucia's session id is our public id, not a secret. Lucia deletes no row.
import { type Adapter, type DatabaseSession, Lucia, TimeSpan } from "lucia";
import type { SessionKeeper } from "./keeper";
import { expiryOf } from "./rules";
import { findActiveOfUser, insertSession, markEnded, type NewSession, type SessionRow } from "./store";

declare module "lucia" {
  interface Register {
    DatabaseSessionAttributes: { opening: NewSession | null };
  }
}

/**
 * Lucia always reads the machine's clock. So every instant passed to it is shifted by the difference between that clock
 * and `now`.
 */
const onMachineClock = (at: number, now: number): Date => new Date(Date.now() + (at - now));

const databaseSession = (row: Pick<SessionRow, "id" | "userId" | "idleUntil" | "absoluteUntil">, now: number) =>
  ({
    id: row.id,
    userId: row.userId,
    expiresAt: onMachineClock(expiryOf(row), now),
    attributes: { opening: null },
  }) satisfies DatabaseSession;

const unexpected = () =>
  Promise.reject(new Error("Lucia called an adapter method that this operation does not provide."));
const nothing = async () => {};

const noAdapter: Adapter = {
  getSessionAndUser: unexpected,
  getUserSessions: unexpected,
  setSession: unexpected,
  updateSessionExpiration: unexpected,
  deleteSession: unexpected,
  deleteUserSessions: unexpected,
  deleteExpiredSessions: unexpected,
};

/** Lucia for one call, on that call's rows or transaction: calls share nothing. */
const over = (adapter: Partial<Adapter>, lifeMs = 0) =>
  new Lucia({ ...noAdapter, ...adapter }, { sessionExpiresIn: new TimeSpan(lifeMs, "ms") });

export const sessionKeeper: SessionKeeper = {
  async open(tx, session) {
    const lucia = over(
      {
        setSession: ({ id, userId, attributes: { opening } }) =>
          opening === null ? unexpected() : insertSession(tx, { ...opening, id, userId }),
      },
      expiryOf(session) - session.now,
    );
    await lucia.createSession(session.userId, { opening: session }, { sessionId: session.id });
  },

  async stateOf({ session, user }, now) {
    const isActive = session.status === "active" && user.status === "active";
    const lucia = over({
      getSessionAndUser: async () =>
        isActive ? [databaseSession(session, now), { id: user.id, attributes: {} }] : [null, null],
      // An expired session keeps its row. A session in use is extended outside the request: see note-use.ts.
      deleteSession: nothing,
      updateSessionExpiration: nothing,
    });
    const validated = await lucia.validateSession(session.id);
    if (validated.session) return "live";
    return isActive ? "expired" : "ended";
  },

  async liveOf(tx, userId, now) {
    const lucia = over({
      getUserSessions: async (id) => (await findActiveOfUser(tx, id)).map((row) => databaseSession(row, now)),
    });
    return lucia.getUserSessions(userId);
  },

  async end(tx, sessionId, ending) {
    let ended: SessionRow | undefined;
    const lucia = over({
      async deleteSession(id) {
        ended = await markEnded(tx, id, ending);
      },
    });
    await lucia.invalidateSession(sessionId);
    return ended;
  },
};
