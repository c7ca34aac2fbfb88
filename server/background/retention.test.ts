// Records are removed after their retention period, and not before.
import { eq, lte } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { idempotencyKeys, sessions, sessionTokens, throttles } from "@/db/tables";
import { newPerson, signIn } from "@/test/people";
import { openWorld, type World } from "@/test/world";
import { removeOutdated } from "./retention";

const dayMs = 86_400_000;
let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it("removes expired Idempotency-Keys", async () => {
  const { db, clock } = world.runtime;
  const row = (id: string, expiresAt: number) => ({
    id,
    fingerprint: "f",
    intent: null,
    status: 200,
    body: "{}",
    createdAt: clock.now(),
    expiresAt,
  });
  await db.write(async (tx) => {
    await tx.insert(idempotencyKeys).values([row("over", clock.now()), row("valid", clock.now() + 1)]);
  });
  await removeOutdated(world.runtime);
  expect((await db.read.select().from(idempotencyKeys)).map(({ id }) => id)).toEqual(["valid"]);
});

it("removes counters of limits whose windows have ended", async () => {
  const { db, clock } = world.runtime;
  await db.write(async (tx) => {
    await tx.insert(throttles).values([
      { bucket: "over", count: 1, resetsAt: clock.now() },
      { bucket: "open", count: 1, resetsAt: clock.now() + 1 },
    ]);
  });
  await removeOutdated(world.runtime);
  expect((await db.read.select().from(throttles)).map(({ bucket }) => bucket)).toEqual(["open"]);
});

it("stops after the current batch when the process stops", async () => {
  const { db, clock } = world.runtime;
  const over = Array.from({ length: 1_200 }, (_, i) => ({
    id: `over${i}`,
    fingerprint: "f",
    intent: null,
    status: 200,
    body: "{}",
    createdAt: clock.now(),
    expiresAt: clock.now(),
  }));
  await db.write(async (tx) => void (await tx.insert(idempotencyKeys).values(over)));
  const stopping = new AbortController();
  const write: typeof db.write = (work) => {
    stopping.abort();
    return db.write(work);
  };
  const left = () => db.read.$count(idempotencyKeys, lte(idempotencyKeys.expiresAt, clock.now()));
  await removeOutdated({ ...world.runtime, db: { ...db, write } }, stopping.signal);
  expect(await left()).toBe(700);
  await removeOutdated(world.runtime);
  expect(await left()).toBe(0);
});

it("removes sessions with their tokens 90 days after they ended or expired", async () => {
  const { db, env } = world.runtime;
  const { admin } = await world.organization();
  const person = await newPerson(world, admin.actor);
  await signIn(world, person.email);
  const rows = () => db.read.select().from(sessions).where(eq(sessions.userId, person.userId));
  const [first] = await rows();
  const endedAt = world.clock.now();
  await db.write(async (tx) => {
    await tx
      .update(sessions)
      .set({ status: "ended", endedAt })
      .where(eq(sessions.id, first?.id ?? ""));
  });
  world.clock.advance(90 * dayMs - 1);
  await removeOutdated(world.runtime);
  expect(await rows()).toHaveLength(2);
  world.clock.advance(1);
  await removeOutdated(world.runtime);
  expect((await rows()).map(({ id }) => id)).not.toContain(first?.id);
  expect(await rows()).toHaveLength(1);
  world.clock.advance(env.apiSessionMaxMs);
  await removeOutdated(world.runtime);
  expect(await rows()).toEqual([]);
  expect(await db.read.$count(sessionTokens, eq(sessionTokens.sessionId, first?.id ?? ""))).toBe(0);
});
