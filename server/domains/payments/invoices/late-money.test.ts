// Money that comes after the invoice was canceled, and so credited: the provider made a charge that was given up.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Actor } from "@/server/kit/context";
import { dayMs, limits, minuteMs } from "@/server/kit/limits";
import { iso } from "@/server/process/clock";
import { closeAccountOf } from "@/test/closing";
import { eventTypesOf } from "@/test/events";
import { runJobs } from "@/test/jobs";
import { cancelRequest } from "@/test/merchant";
import { expectSoundLedger } from "@/test/money";
import { ask, payWith, transactionsOf } from "@/test/payer";
import { arriveLate, planFault } from "@/test/provider-faults";
import { openWorld, refusalOf, type World } from "@/test/world";
import { acceptLate } from "../operations/accept-late";
import { getPayment } from "../operations/get";
import { listPaymentRequests } from "../operations/list";
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

/** The payment requests whose late money waits for a decision. */
const waiting = async (actor: Actor) =>
  (await world.call(listPaymentRequests, actor, { paid_late: true, limit: 10 })).data.map((one) => one.payment_id);

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
  const get = () => world.call(getPayment, actor, { payment_id });
  expect(await get()).toMatchObject({ status: "paid", amount_paid: 1250, paid_late_at: iso(world.clock.now()) });
  expect(await waiting(actor)).toEqual([payment_id]);
  await world.call(refundPayment, actor, { payment_id });
  const refund = (await transactionsOf(world, payment_id)).find(({ type }) => type === "refund");
  expect(refund).toMatchObject({ provider: "sandbox", status: "succeeded", amount: 1250 });
  expect(await credited()).toEqual([1250]);
  expect([(await get()).paid_late_at, await waiting(actor)]).toEqual([null, []]);
});

it.each(["canceled", "closed", "expired"] as const)(
  "waits for somebody to keep it, of a request that was %s",
  async (end) => {
    const { admin, member } = await world.organization();
    const expires_at = iso(world.clock.now() + dayMs);
    const { payment, token } = await ask(world, member.actor, { ...(end === "expired" && { expires_at }) } as never);
    const { payment_id } = payment;
    const accept = () => world.call(acceptLate, admin.actor, { payment_id });
    expect(await refusalOf(accept())).toBe("nothing_late");
    planFault("start", "reset", "late");
    await payWith(world, token);
    planFault("giveUp", "reset", "unkept");
    world.clock.advance(limits.charge.firstLookupMs);
    await runJobs(world);
    if (end === "canceled") await cancelRequest(world, member.actor, payment_id);
    if (end === "closed") await closeAccountOf(world, admin.actor, member.accountId);
    if (end === "expired") world.clock.advance(dayMs);
    await runJobs(world);
    await arriveLate();
    world.clock.advance(minuteMs);
    await runJobs(world);
    expect(await waiting(admin.actor)).toEqual([payment_id]);
    expect(await eventTypesOf(world, payment_id)).toContain("payment.paid_late");
    const kept = await Promise.allSettled([accept(), accept()]);
    expect(kept.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await waiting(admin.actor)).toEqual([]);
    expect(await world.call(getPayment, admin.actor, { payment_id })).toMatchObject({
      paid_late_at: null,
      status: "paid",
    });
  },
);
