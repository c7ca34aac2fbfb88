// Checkpoints: what they cover, that they cost nothing without new postings, concurrent writers, and key rotation.
import { asc } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { dialect } from "@/db/dialect";
import { ledgerAccounts, ledgerCheckpointHeads, ledgerCheckpoints } from "@/db/tables";
import { newId } from "@/server/kit/ids";
import { createLogger } from "@/server/process/log";
import { openRuntime, type Runtime } from "@/server/process/runtime";
import { openLedger, type TestLedger } from "@/test/ledger";
import { openWorld, type World } from "@/test/world";
import { writeCheckpoint } from "./checkpoint";
import * as store from "./checkpoint-store";
import * as rules from "./rules";
import { lockLedgerAccounts } from "./store";
import { verifyLedger } from "./verify";
import type { VerificationKeys } from "./verify/signers";

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
/** Posts a credit whose transaction began at another instant. */
async function creditAt(accountId: string, at: number): Promise<void> {
  const elsewhen = await openLedger(
    { ...world, clock: { ...world.clock, now: () => at }, id: (p) => newId(p, at) },
    ledger,
  );
  const money = { accountId, amount: 10, currency: "EUR" };
  const row = { type: "credit", status: "succeeded", direction: "in" } as const;
  await elsewhen.post({ ...row, ...money }, rules.goodwillCredit(money));
}
const read = () => world.runtime.db.read;
const checkpoints = () => read().select().from(ledgerCheckpoints).orderBy(asc(ledgerCheckpoints.number));
const verify = (keys: VerificationKeys = world.runtime.keys) => verifyLedger(world.database.url, keys);

describe("a checkpoint", () => {
  it("is logged with its signature, which the proof compares with the database", async () => {
    const lines: Record<string, unknown>[] = [];
    const log = createLogger({ logLevel: "info" }, { write: (line) => void lines.push(JSON.parse(line)) });
    await credit(ledger.accountIds[0]);
    await writeCheckpoint({ ...world.runtime, log });
    await writeCheckpoint({ ...world.runtime, log });
    const [row] = await checkpoints();
    expect(lines).toMatchObject([{ msg: "ledger checkpoint", checkpoint: `1:${row?.signature}` }]);
  });

  it("signs exactly the chains that grew since the last one", async () => {
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
      [2, "expense", 1],
    ]);
    expect(await verify()).toMatchObject({ ok: true, counts: { checkpoints: 2 } });
  });

  it("covers postings made after the clock was set back", async () => {
    world.clock.advance(3_600_000);
    await credit(ledger.accountIds[0]);
    await writeCheckpoint(world.runtime);
    world.clock.advance(-3_600_000);
    await credit(ledger.accountIds[1]);
    expect(await writeCheckpoint(world.runtime)).toBe(2);
    // From here on the latest journals by id are those of the wrong hour.
    world.clock.advance(60_000);
    await credit(ledger.accountIds[1]);
    expect(await writeCheckpoint(world.runtime)).toBe(2);
    expect(await writeCheckpoint(world.runtime)).toBe(0);
  });

  it("covers a late commit within the hour", async () => {
    await credit(ledger.accountIds[0]);
    await writeCheckpoint(world.runtime);
    world.clock.advance(-20 * 60_000);
    const late = world.clock.now();
    world.clock.advance(20 * 60_000 + 60_000);
    await creditAt(ledger.accountIds[1], late);
    expect(await writeCheckpoint(world.runtime)).toBe(0);
    world.clock.advance(3_600_000);
    expect(await writeCheckpoint(world.runtime)).toBe(2);
  });

  it("reads only what the latest journals touched", async () => {
    for (const id of ledger.accountIds) await credit(id);
    await writeCheckpoint(world.runtime);
    world.clock.advance(30 * 60_000);
    await writeCheckpoint(world.runtime);
    await credit(ledger.accountIds[0]);
    const looked = vi.spyOn(store, "unsignedOf");
    const whole = vi.spyOn(store, "unsignedPage");
    expect(await writeCheckpoint(world.runtime)).toBe(2);
    expect(looked.mock.calls.map(([, ids]) => ids.length)).toEqual([2]);
    expect(whole).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  it("does not wait for a locked ledger account", async () => {
    const [a] = ledger.accountIds;
    await credit(a);
    const heads = await read().select({ id: ledgerAccounts.id }).from(ledgerAccounts);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let posting: Promise<void> = Promise.resolve();
    await new Promise<void>((isLocked) => {
      posting = world.runtime.db.write(async (tx) => {
        await lockLedgerAccounts(
          tx,
          heads.map((head) => head.id),
        );
        isLocked();
        await released;
      });
    });
    const signing = writeCheckpoint(world.runtime);
    // SQLite has one writer, so there the checkpoint waits for the posting.
    if (dialect === "postgres") expect(await signing).toBe(2);
    release();
    await posting;
    expect(await signing).toBe(2);
  });

  it("is written by one of several callers, without gaps", async () => {
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

  const next = { id: "0badcafe", key: Buffer.alloc(32, 9) };

  /** The same installation after a restart with another current key. */
  async function restartedWith(keys: Runtime["keys"]): Promise<Runtime> {
    const runtime = await openRuntime(world.runtime.env, world.clock);
    return { ...runtime, keys };
  }

  it("is valid after a key rotation while the old key is kept", async () => {
    await credit(ledger.accountIds[0]);
    await writeCheckpoint(world.runtime);
    const old = world.runtime.keys.all;
    const after = await restartedWith({ current: next, all: [next, ...old] });
    await credit(ledger.accountIds[0]);
    await writeCheckpoint(after);
    await after.close();
    const signers = (await checkpoints()).map((row) => row.keyId);
    expect(new Set(signers)).toEqual(new Set([old[0]?.id, next.id]));
    expect((await verify({ all: [next, ...old] })).ok).toBe(true);
    const faultAt = (checkpointNumber: number) => ({ ok: false, fault: { check: "checkpoint", checkpointNumber } });
    expect(await verify({ all: [next] })).toMatchObject(faultAt(1));
    const forged = { id: String(old[0]?.id), key: Buffer.alloc(32, 1) };
    expect(await verify({ all: [next, forged] })).toMatchObject(faultAt(1));
  });

  it("of a new key covers what a retired key signed", async () => {
    const old = world.runtime.keys.all;
    await credit(ledger.accountIds[0]);
    await writeCheckpoint(world.runtime);
    // What only a retired key has signed does not count.
    expect(await verify({ all: [next], retired: old })).toMatchObject({ ok: false, fault: { check: "checkpoint" } });
    const after = await restartedWith({ current: next, all: [next], retired: old });
    expect(await writeCheckpoint(after)).toBe(0);
    expect((await checkpoints()).map((row) => [row.headCount, row.keyId])).toEqual([
      [2, old[0]?.id],
      [0, next.id],
    ]);
    expect((await verify({ all: [next], retired: old })).ok).toBe(true);
    // An attacker signs with the stolen retired key.
    await credit(ledger.accountIds[0]);
    const stolen = { ...world.runtime.keys, retired: [next] };
    await writeCheckpoint({ ...world.runtime, keys: stolen });
    const proof = await verify({ all: [next], retired: old });
    expect(proof).toMatchObject({
      ok: false,
      fault: { checkpointNumber: 3, message: expect.stringMatching(/retired/) },
    });
    await after.close();
  });

  it("is refused to a process that does not know the key that signed last", async () => {
    await credit(ledger.accountIds[0]);
    await writeCheckpoint(world.runtime);
    const old = world.runtime.keys.all;
    const rotated = await restartedWith({ current: next, all: [next, ...old] });
    await writeCheckpoint(rotated);
    await credit(ledger.accountIds[0]);
    // A process that was not restarted yet has only the old key.
    await expect(writeCheckpoint(world.runtime)).rejects.toThrow(
      `SECRET_KEY: the database was last signed with the key ${next.id}`,
    );
    expect(await writeCheckpoint(rotated)).toBe(2);
    await rotated.close();
    expect((await verify({ all: [next], retired: old })).ok).toBe(true);
  });

  it("of a lost key is not checked, but only before one of a current key", async () => {
    await credit(ledger.accountIds[0]);
    await writeCheckpoint(world.runtime);
    const lost = world.runtime.keys.all.map(({ id }) => id);
    const after = await restartedWith({ current: next, all: [next], lost });
    await writeCheckpoint(after);
    expect((await verify({ all: [next] })).ok).toBe(false);
    expect((await verify({ all: [next], lost })).ok).toBe(true);
    await credit(ledger.accountIds[0]);
    await writeCheckpoint({ ...world.runtime, keys: { ...world.runtime.keys, lost: [next.id] } });
    expect(await verify({ all: [next], lost })).toMatchObject({ ok: false, fault: { checkpointNumber: 3 } });
    await after.close();
  });

  it("that was recorded elsewhere must still exist with its signature", async () => {
    await credit(ledger.accountIds[0]);
    await writeCheckpoint(world.runtime);
    await credit(ledger.accountIds[0]);
    await writeCheckpoint(world.runtime);
    const [first, second] = await checkpoints();
    const expecting = (number: number, signature = "") =>
      verifyLedger(world.database.url, world.runtime.keys, { checkpoint: { number: BigInt(number), signature } });
    expect((await expecting(1, first?.signature)).ok).toBe(true);
    expect((await expecting(2, second?.signature)).ok).toBe(true);
    const fault = (checkpointNumber: number) => ({ ok: false, fault: { check: "checkpoint", checkpointNumber } });
    expect(await expecting(2, first?.signature)).toMatchObject(fault(2));
    expect(await expecting(3, second?.signature)).toMatchObject(fault(3));
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
