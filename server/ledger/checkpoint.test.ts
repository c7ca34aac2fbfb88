// Checkpoints: what they cover, that they cost nothing when nothing moved, several writers at once, and changes of the key.
import { asc } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ledgerCheckpointHeads, ledgerCheckpoints } from "@/db/tables";
import { writeCheckpoint } from "@/server/ledger/checkpoint";
import * as rules from "@/server/ledger/rules";
import { verifyLedger } from "@/server/ledger/verify";
import { openLedger, type TestLedger } from "@/server/testing/ledger";
import { openWorld, type World } from "@/server/testing/world";

let world: World;
let ledger: TestLedger;
beforeEach(async () => {
  world = await openWorld();
  ledger = await openLedger(world);
});
afterEach(() => world.close());

const credit = (accountId: string) => {
  const money = { accountId, amount: 10, currency: "EUR" };
  return ledger.post({ type: "credit", status: "succeeded", direction: "in", ...money }, rules.goodwillCredit(money));
};
const read = () => world.runtime.db.read;
const checkpoints = () => read().select().from(ledgerCheckpoints).orderBy(asc(ledgerCheckpoints.number));
const verify = (keys = world.runtime.keys.all) => verifyLedger(world.database.url, keys);

describe("a checkpoint", () => {
  it("signs for the chains that moved since the last one, and only for them", async () => {
    const [a, b] = ledger.accountIds;
    expect(await writeCheckpoint(world.runtime)).toBe(0);
    await credit(a);
    expect(await writeCheckpoint(world.runtime)).toBe(2);
    expect(await writeCheckpoint(world.runtime)).toBe(0);
    await credit(b);
    expect(await writeCheckpoint(world.runtime)).toBe(2);
    const heads = await read().select().from(ledgerCheckpointHeads).orderBy(asc(ledgerCheckpointHeads.ledgerAccountId));
    expect(
      heads.map((head) => [head.checkpointNumber, head.ledgerAccountId.split(":")[1], head.sequence]).sort(),
    ).toEqual([
      [1, "available", 1],
      [1, "expense", 1],
      [2, "available", 1],
      [2, "expense", 2],
    ]);
    expect(await verify()).toMatchObject({ ok: true, counts: { checkpoints: 2 } });
  });

  it("looks at nothing but the newest journal once everything has been quiet for a while", async () => {
    await credit(ledger.accountIds[0]);
    await writeCheckpoint(world.runtime);
    world.clock.advance(11 * 60_000);
    await credit(ledger.accountIds[1]);
    expect(await writeCheckpoint(world.runtime)).toBe(2);
    world.clock.advance(11 * 60_000);
    expect(await writeCheckpoint(world.runtime)).toBe(0);
    expect(await checkpoints()).toHaveLength(2);
  });

  it("is written by one of several callers, in an unbroken row", async () => {
    for (let round = 0; round < 4; round++) {
      await credit(ledger.accountIds[0]);
      await Promise.all(Array.from({ length: 5 }, () => writeCheckpoint(world.runtime)));
      await writeCheckpoint(world.runtime);
    }
    const numbers = (await checkpoints()).map((row) => row.number);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(numbers.length).toBeGreaterThanOrEqual(4);
    expect((await verify()).ok).toBe(true);
  });

  it("stays proved after a change of the server key, while the old one is kept", async () => {
    await credit(ledger.accountIds[0]);
    await writeCheckpoint(world.runtime);
    const next = { id: "0badcafe", key: Buffer.alloc(32, 9) };
    const old = world.runtime.keys.all;
    await credit(ledger.accountIds[0]);
    await writeCheckpoint({ ...world.runtime, keys: { current: next, all: [next, ...old] } });
    expect((await checkpoints()).map((row) => row.keyId)).toEqual([old[0]?.id, next.id]);
    expect((await verify([next, ...old])).ok).toBe(true);
    expect(await verify([next])).toMatchObject({ ok: false, fault: { check: "checkpoint", checkpointNumber: 1 } });
    const forged = [next, { id: String(old[0]?.id), key: Buffer.alloc(32, 1) }];
    expect(await verify(forged)).toMatchObject({ ok: false, fault: { check: "checkpoint", checkpointNumber: 1 } });
  });
});

describe("the proof", () => {
  it("sees one instant while others write", async () => {
    const [a, b, c] = ledger.accountIds;
    let isRunning = true;
    const writers = [a, b, c].map(async (accountId) => {
      for (let i = 0; i < 25; i++) await Promise.all([credit(accountId), writeCheckpoint(world.runtime)]);
    });
    const all = Promise.all(writers).then(() => {
      isRunning = false;
    });
    while (isRunning) expect(await verify()).toMatchObject({ ok: true });
    await all;
    expect(await verify()).toMatchObject({ ok: true, counts: { journals: 75 } });
  });
});
