// After a restore: every live session of every organization ends, reset links go, and each audit log says so.
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { auditEntries, passwordResets, sessions } from "@/db/tables";
import { dayMs } from "@/server/kit/limits";
import { signInAs } from "@/test/signing-in";
import { openWorld, type World } from "@/test/world";
import { recordRestore } from "./after-restore";
import { createResetLink } from "./user-command";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it("ends all sessions and reset links, and records it for each organization", async () => {
  const { read } = world.runtime.db;
  const [first, second, quiet] = [await world.organization(), await world.organization(), await world.organization()];
  for (const user of [first.admin, first.member, second.member]) await signInAs(world, user);
  await createResetLink(world.runtime, first.other.email);
  const active = () => read.$count(sessions, eq(sessions.status, "active"));
  const entries = () => read.select().from(auditEntries).where(eq(auditEntries.operation, "database.restore"));

  expect(await recordRestore(world.runtime, { backup: "kept.db", keepSessions: true })).toBe(0);
  expect(await active()).toBe(3);
  expect(await read.$count(passwordResets)).toBe(1);
  expect(await entries()).toHaveLength(3);

  expect(await recordRestore(world.runtime, { backup: "b.db", keepSessions: false })).toBe(3);
  expect(await active()).toBe(0);
  expect(
    await read.$count(sessions, and(eq(sessions.status, "ended"), eq(sessions.endReason, "database_restored"))),
  ).toBe(3);
  expect(await read.$count(passwordResets)).toBe(0);
  const details = (await entries()).filter(({ detail }) => detail.backup === "b.db");
  expect(new Map(details.map(({ organizationId, detail }) => [organizationId, detail.sessions]))).toEqual(
    new Map([
      [first.id, 2],
      [second.id, 1],
      [quiet.id, 0],
    ]),
  );
});

it("ends sessions that seem to have expired, because the clock may be fast only for the moment", async () => {
  await signInAs(world, (await world.organization()).member);
  world.clock.advance(3_650 * dayMs);
  expect(await recordRestore(world.runtime, { backup: "c.db", keepSessions: false })).toBe(1);
  expect(await world.runtime.db.read.$count(sessions, eq(sessions.status, "active"))).toBe(0);
});
