// Removing a user or closing an account ends all sessions at once, and none opens concurrently.
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sessions } from "@/db/tables";
import { closeAccountOf, removeUserOf } from "@/test/closing";
import { bearer, callWith, givePassword, password, signInAs } from "@/test/signing-in";
import { callRequest, openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";
import { authenticate } from "./authenticate";
import { login } from "./operations/login";
import { refreshSession } from "./operations/refresh";

let world: World;
let org: TestOrganization;

const isLive = async (token: string) =>
  "actor" in (await authenticate(world.runtime, callRequest(world.runtime, bearer(token)), world.clock.now()));
const activeOf = (user: TestUser) =>
  world.runtime.db.read
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, user.id), eq(sessions.status, "active")));
const signInAgain = (user: TestUser) => callWith(world, login, {}, { email: user.email, password });

beforeAll(async () => {
  world = await openWorld({
    LOGIN_FAILURES_PER_USER_AND_IP: "1000",
    LOGIN_FAILURES_PER_USER: "1000",
    LOGIN_FAILURES_PER_IP: "1000",
  });
});
afterAll(() => world.close());
beforeEach(async () => {
  org = await world.organization();
});

const acts: [string, string, (user: TestUser) => Promise<{ revoked_tokens: number }>][] = [
  ["removing the user", "user_removed", (user) => removeUserOf(world, org.admin.actor, user.id)],
  ["closing its account", "account_closed", (user) => closeAccountOf(world, org.admin.actor, user.accountId)],
];

for (const [name, reason, act] of acts) {
  describe(name, () => {
    it("ends every session of the user, for access and refresh tokens alike, and no one else's", async () => {
      const pairs = [await signInAs(world, org.member), await signInAs(world, org.member)];
      const other = await signInAs(world, org.other);
      expect((await act(org.member)).revoked_tokens).toBe(4);
      for (const { access_token, refresh_token } of pairs) {
        expect(await isLive(access_token)).toBe(false);
        expect(await refusalOf(callWith(world, refreshSession, bearer(refresh_token), {}))).toBe("session_not_found");
      }
      expect(await isLive(other.access_token)).toBe(true);
      const rows = await world.runtime.db.read.select().from(sessions).where(eq(sessions.userId, org.member.id));
      expect(rows.map(({ endReason, endedBy }) => ({ endReason, endedBy }))).toEqual(
        pairs.map(() => ({ endReason: reason, endedBy: org.admin.id })),
      );
    });

    it("leaves no session, and none opens afterwards, while the user keeps signing in and refreshing", async () => {
      const { refresh_token } = await signInAs(world, org.member);
      await givePassword(world, org.member);
      const busy = [
        ...Array.from({ length: 15 }, () => signInAgain(org.member)),
        ...Array.from({ length: 15 }, (_, i) =>
          callWith(world, refreshSession, { ...bearer(refresh_token), idempotencyKey: `${i % 3}` }, {}),
        ),
      ];
      const results = Promise.allSettled(busy);
      await new Promise((resume) => setTimeout(resume, 20));
      await act(org.member);
      await results;
      expect(await activeOf(org.member)).toEqual([]);
      expect(await refusalOf(signInAgain(org.member))).toMatch(/^(invalid_credentials|account_closed)$/);
    });
  });
}
