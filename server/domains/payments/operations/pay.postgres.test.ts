// Paying while other calls write, with PostgreSQL's row locks: no deadlock over the throttle of an address.
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ledgerAccounts } from "@/db/tables";
import { lockLedgerAccounts } from "@/server/domains/ledger/store";
import { addressBucketOf, giveBack } from "@/server/fairness/throttle";
import { deadlocksIn } from "@/test/deadlocks";
import { expectSoundLedger } from "@/test/money";
import { ask, formToken, paymentRow, payWith, submit } from "@/test/payer";
import { anotherProcess, callRequest, openWorld, type World } from "@/test/world";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

it("a payment and a confirmation from one address lock the ledger's rows before the throttle's", async () => {
  const { id, member } = await world.organization();
  await payWith(world, (await ask(world, member.actor)).token);
  const { payment, token } = await ask(world, member.actor);
  const form = await formToken(world, token);
  const before = await deadlocksIn(world);
  const [payer, other] = [await anotherProcess(world), await anotherProcess(world)];
  const { ip } = callRequest(world.runtime);
  const throttle = { bucket: addressBucketOf("pay-address", ip), limit: 1, windowMs: 1 };
  const rows = await world.runtime.db.read
    .select({ id: ledgerAccounts.id })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.organizationId, id));
  // Does what a confirmation does: posts, and then credits its count back.
  const { paying } = await other.runtime.db.write(async (tx) => {
    await lockLedgerAccounts(
      tx,
      rows.map((row) => row.id),
    );
    const paying = submit(payer, token, form);
    // Long enough for the payment to wait for the ledger.
    await sleep(1_000);
    await giveBack(tx, world.clock.now(), [throttle]);
    return { paying };
  });
  await paying;
  expect((await paymentRow(world, payment.payment_id)).status).toBe("paid");
  await payer.close();
  await other.close();
  expect((await deadlocksIn(world)) - before).toBe(0);
});
