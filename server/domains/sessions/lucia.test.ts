// The session library behind its interface: no call sees another call's data, whatever the library awaits.
import { setImmediate as turn } from "node:timers/promises";
import { Lucia } from "lucia";
import { afterEach, expect, it, vi } from "vitest";
import { sessionKeeper } from "./lucia";
import type { Caller } from "./token-store";

const now = Date.UTC(2026, 10, 20, 12);
const callerOf = (id: string, status: "active" | "ended"): Pick<Caller, "session" | "user"> => ({
  session: {
    id: `ses_${id}`,
    userId: `usr_${id}`,
    organizationId: "org",
    kind: "api",
    status,
    authenticatedAt: now,
    lastSeenAt: now,
    idleUntil: null,
    absoluteUntil: now + 60_000,
  },
  user: { id: `usr_${id}`, role: "member", status: "active" },
});

afterEach(() => vi.restoreAllMocks());

it("the library reports each session's own state, even if it awaits before it reads", async () => {
  const validate = Lucia.prototype.validateSession;
  vi.spyOn(Lucia.prototype, "validateSession").mockImplementation(async function (this: Lucia, id) {
    await turn();
    return validate.call(this, id);
  });
  const statuses = Array.from({ length: 20 }, (_, i) => (i % 3 === 0 ? ("ended" as const) : ("active" as const)));
  const states = await Promise.all(
    statuses.map((status, i) => sessionKeeper.stateOf(callerOf(String(i), status), now)),
  );
  expect(states).toEqual(statuses.map((status) => (status === "ended" ? "ended" : "live")));
});
