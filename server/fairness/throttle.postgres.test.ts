// Throttles on PostgreSQL: a transaction that counts locks no counter that another one needs.
import { afterAll, beforeAll, expect, it } from "vitest";
import { lock } from "@/db/lock";
import { users } from "@/db/tables";
import { openWorld, type World } from "@/test/world";
import { reserve } from "./throttle";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it("counting before and after locking a user does not deadlock over an ended counter", async () => {
  const { db, clock } = world.runtime;
  const { member } = await world.organization();
  const windowMs = 60_000;
  const count = (tx: Parameters<typeof reserve>[0], bucket: string) =>
    reserve(tx, clock.now(), [{ bucket, limit: 10, windowMs }]);
  await db.write((tx) => count(tx, "ended"));
  world.clock.advance(windowMs);
  const [locked, counted] = [signal(), signal()];
  // The victim of a deadlock runs again.
  let runs = 0;
  const lockFirst = db.write(async (tx) => {
    runs++;
    await lock(tx, users, [member.id]);
    locked.give();
    await counted.given;
    await count(tx, "ended");
  });
  const countFirst = db.write(async (tx) => {
    runs++;
    await locked.given;
    await count(tx, "new");
    counted.give();
    await lock(tx, users, [member.id]);
  });
  await Promise.all([lockFirst, countFirst]);
  expect(runs).toBe(2);
});

function signal(): { given: Promise<void>; give: () => void } {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}
