// Money that comes after the invoice was canceled, and so credited: the provider made a charge that was given up.
import { afterAll, beforeAll, expect, it } from "vitest";
import { limits, minuteMs } from "@/server/kit/limits";
import { runJobs } from "@/test/jobs";
import { cancelRequest } from "@/test/merchant";
import { expectSoundLedger } from "@/test/money";
import { ask, payWith, transactionsOf } from "@/test/payer";
import { arriveLate, planFault } from "@/test/provider-faults";
import { openWorld, type World } from "@/test/world";
import { getPayment } from "../operations/get";
import { refundPayment } from "../operations/refund";
import { creditNotesOfOne } from "./credit-note-store";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

it("a cancelation credits once, so that money which comes later is refunded without another credit note", async () => {
  const { actor } = (await world.organization()).member;
  const { payment, token } = await ask(world, actor, { type: "invoice" });
  const { payment_id } = payment;
  planFault("start", "reset", "late");
  await payWith(world, token);
  planFault("giveUp", "reset", "unkept");
  world.clock.advance(limits.charge.firstLookupMs);
  await runJobs(world);
  await cancelRequest(world, actor, payment_id);
  const credited = async () => (await creditNotesOfOne(world.runtime.db.read, payment_id)).map(({ amount }) => amount);
  expect(await credited()).toEqual([1250]);
  await arriveLate();
  world.clock.advance(minuteMs);
  await runJobs(world);
  expect(await world.call(getPayment, actor, { payment_id })).toMatchObject({ status: "paid", amount_paid: 1250 });
  await world.call(refundPayment, actor, { payment_id });
  const refund = (await transactionsOf(world, payment_id)).find(({ type }) => type === "refund");
  expect(refund).toMatchObject({ provider: "sandbox", status: "succeeded", amount: 1250 });
  expect(await credited()).toEqual([1250]);
});
