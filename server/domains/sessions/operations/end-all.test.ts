// Ending all sessions of a user: which end, with which reason, and while the user signs in.
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { auditEntries, sessions } from "@/db/tables";
import { currentUser } from "@/server/domains/users/operations/current";
import { callWith, newPerson, signIn } from "@/test/people";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { endAllSessions } from "./end-all";
import { invalidateSession } from "./invalidate";
import { lastSeen } from "./last-seen";

const hourMs = 3_600_000;

let world: World;
let org: TestOrganization;
let foreign: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  foreign = await world.organization("Globex");
});
afterAll(() => world.close());

const sessionsOf = (userId: string) =>
  world.runtime.db.read.select().from(sessions).where(eq(sessions.userId, userId)).orderBy(asc(sessions.id));
const works = (token: string) => callWith(world, currentUser, token, {});

it("keeps the session that calls, if asked to, and ends the others at once", async () => {
  const person = await newPerson(world, org.admin.actor);
  const other = await signIn(world, person.email);
  const input = { user_id: person.userId, keeps_current: true };
  const ended = await callWith(world, endAllSessions, person.accessToken, input);
  expect(ended).toEqual({ user_id: person.userId, revoked_sessions: 1, revoked_tokens: 2 });
  await works(person.accessToken);
  expect(await refusalOf(works(other.accessToken))).toBe("unauthorized");
  await callWith(world, endAllSessions, person.accessToken, { ...input, keeps_current: false });
  expect(await refusalOf(works(person.accessToken))).toBe("unauthorized");
  const reasons = (await sessionsOf(person.userId)).map(({ endReason, endedBy }) => [endReason, endedBy]);
  expect(reasons).toEqual([
    ["logout_everywhere", person.userId],
    ["logout_everywhere", person.userId],
  ]);
});

it("is an act of the admin who ends those of somebody else, and keeps none of them", async () => {
  const person = await newPerson(world, org.admin.actor);
  const ended = await world.call(endAllSessions, org.admin.actor, { user_id: person.userId, keeps_current: true });
  expect(ended.revoked_sessions).toBe(1);
  expect(await sessionsOf(person.userId)).toMatchObject([{ endReason: "admin_action", endedBy: org.admin.id }]);
  const [entry] = await world.runtime.db.read
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.operation, "sessions.endAll"))
    .orderBy(asc(auditEntries.createdAt));
  expect(entry).toMatchObject({ organizationId: org.id, detail: { revoked_sessions: 1 } });
});

it("leaves no session open that is neither ended nor newer, when the user signs in meanwhile", async () => {
  const person = await newPerson(world, org.admin.actor);
  const [, ...entered] = await Promise.all([
    world.call(endAllSessions, org.admin.actor, { user_id: person.userId, keeps_current: false }),
    ...Array.from({ length: 5 }, () => signIn(world, person.email)),
  ]);
  for (const { accessToken, sessionId } of entered) {
    const row = (await sessionsOf(person.userId)).find(({ id }) => id === sessionId);
    if (row?.status === "active") await works(accessToken);
    else expect(await refusalOf(works(accessToken))).toBe("unauthorized");
  }
});

it("says when users of the caller's organization were last seen, also in sessions that have ended", async () => {
  const person = await newPerson(world, org.admin.actor);
  const stranger = await newPerson(world, foreign.admin.actor);
  const seen = async () =>
    (await world.call(lastSeen, org.admin.actor, { user_ids: [person.userId, stranger.userId, "nonsense"] })).data;
  const at = (time: number) => [{ user_id: person.userId, last_seen_at: new Date(time).toISOString() }];
  const first = world.clock.now();
  expect(await seen()).toEqual(at(first));
  await world.call(endAllSessions, org.admin.actor, { user_id: person.userId, keeps_current: false });
  expect(await seen()).toEqual(at(first));
  const older = await signIn(world, person.email);
  world.clock.advance(hourMs);
  const newer = await signIn(world, person.email);
  await world.call(invalidateSession, org.admin.actor, { session_id: newer.sessionId });
  expect(await seen()).toEqual(at(first + hourMs));
  await world.call(invalidateSession, org.admin.actor, { session_id: older.sessionId });
  expect(await seen()).toEqual(at(first + hourMs));
});
