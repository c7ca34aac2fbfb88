// lucia behind the port. Its session id is our public id, never a secret; no row is deleted; time is the injected clock's.
import { type Adapter, type DatabaseSession, Lucia, TimeSpan } from "lucia";
import type { SessionKeeper } from "./port";
import { expiryOf } from "./rules";
import { findActiveOfUser, insertSession, markEnded, type NewSession, type SessionRow } from "./store";

declare module "lucia" {
  interface Register {
    DatabaseSessionAttributes: { opening: NewSession | null };
  }
}

/**
 * lucia reads the machine's clock and cannot be given another. So every instant that goes in is moved by the distance
 * between that clock and `now`.
 */
const onMachineClock = (at: number, now: number): Date => new Date(Date.now() + (at - now));

const databaseSession = (row: Pick<SessionRow, "id" | "userId" | "idleUntil" | "absoluteUntil">, now: number) =>
  ({
    id: row.id,
    userId: row.userId,
    expiresAt: onMachineClock(expiryOf(row), now),
    attributes: { opening: null },
  }) satisfies DatabaseSession;

const unasked = () => Promise.reject(new Error("The session library asked for what this call does not give it."));
const nothing = async () => {};

const noAdapter: Adapter = {
  getSessionAndUser: unasked,
  getUserSessions: unasked,
  setSession: unasked,
  updateSessionExpiration: unasked,
  deleteSession: unasked,
  deleteUserSessions: unasked,
  deleteExpiredSessions: unasked,
};

/** lucia for one call, over the rows or the transaction of that call: nothing is shared between two calls. */
const over = (adapter: Partial<Adapter>, lifeMs = 0) =>
  new Lucia({ ...noAdapter, ...adapter }, { sessionExpiresIn: new TimeSpan(lifeMs, "ms") });

export const sessionKeeper: SessionKeeper = {
  async open(tx, session) {
    const lucia = over(
      {
        setSession: ({ id, userId, attributes: { opening } }) =>
          opening === null ? unasked() : insertSession(tx, { ...opening, id, userId }),
      },
      expiryOf(session) - session.now,
    );
    await lucia.createSession(session.userId, { opening: session }, { sessionId: session.id });
  },

  async standing({ session, user }, now) {
    const isActive = session.status === "active" && user.status === "active";
    const lucia = over({
      getSessionAndUser: async () =>
        isActive ? [databaseSession(session, now), { id: user.id, attributes: {} }] : [null, null],
      // An expired session keeps its row, and a used one is prolonged off the request's path: see use.ts.
      deleteSession: nothing,
      updateSessionExpiration: nothing,
    });
    const validated = await lucia.validateSession(session.id);
    if (validated.session) return "standing";
    return isActive ? "expired" : "ended";
  },

  async standingOf(tx, userId, now) {
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
