// Parts whose money arrives late: beside another attempt, and after the payment request has ended.
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { events, jobs, mails } from "@/db/tables";
import type { ChargeResult } from "@/server/domains/providers/provider";
import { sandboxProvider } from "@/server/domains/providers/sandbox";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { dayMs } from "@/server/kit/limits";
import { iso } from "@/server/process/clock";
import { closeAccountOf } from "@/test/closing";
import { expectSoundLedger, settleNow } from "@/test/money";
import { ask, card, paymentRow, payPart, transactionsOf } from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { newEmail } from "@/test/people";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { getPayment } from "./operations/get";

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  org = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const inDays = (days: number) => iso(world.clock.now() + days * dayMs);
const lost = { ...card(troubledCard), security_code: lostAnswerCode };

async function planned() {
  const terms = {
    ...{ amount: 300, customer: { email: newEmail() }, reminders: { offsets_days: [-3, 3] } },
    installments: [10, 40, 70].map((days) => ({ amount: 100, due_at: inDays(days) })),
  };
  const { payment, token } = await ask(world, org.member.actor, terms);
  return { id: payment.payment_id, token };
}

/** What the provider did with the attempt, whose answer was lost. */
async function resultOf(transactionId: string): Promise<ChargeResult> {
  const found = await sandboxProvider(world.runtime, false).lookup("charge", transactionId);
  if (found?.kind !== "charge") throw new Error("The provider has no such charge.");
  return found;
}

const typesOf = async (id: string) =>
  (await world.runtime.db.read.select().from(events).where(eq(events.objectId, id)).orderBy(asc(events.sequence))).map(
    ({ type }) => type,
  );

it("money of an earlier attempt is announced while another one is in progress", async () => {
  const { id, token } = await planned();
  await payPart(world, token, "next", null, card("4000000000000002"));
  const [first] = await transactionsOf(world, id);
  world.clock.advance(1000);
  await payPart(world, token, "next", null, lost);
  const [, second] = await transactionsOf(world, id);
  // The provider says of the first one that it was declined, and later that it has succeeded.
  const made = { ...(await resultOf(second?.id ?? "")), reference: first?.providerReference ?? "" };
  expect((await paymentRow(world, id)).status).toBe("processing");
  await settleNow(world, first?.id ?? "", made);
  expect(await paymentRow(world, id)).toMatchObject({ status: "processing", amountPaid: 100 });
  expect((await typesOf(id)).at(-1)).toBe("payment.partially_paid");
  await expectOneTruth(world, id);
});

it("money for a request that was canceled meanwhile asks for no more, and plans no reminder", async () => {
  const { id, token } = await planned();
  await payPart(world, token, "next", null, lost);
  const [attempt] = await transactionsOf(world, id);
  const made = await resultOf(attempt?.id ?? "");
  await closeAccountOf(world, org.admin.actor, org.member.accountId);
  await settleNow(world, attempt?.id ?? "", made);
  expect(await paymentRow(world, id)).toMatchObject({ status: "canceled", amountPaid: 100 });
  const sent = await world.runtime.db.read.select().from(mails).where(eq(mails.paymentId, id));
  expect(sent.map(({ kind }) => kind)).toEqual(["payment_receipt"]);
  expect(sent[0]?.text).not.toContain("Still to pay");
  const { reminders } = await world.call(getPayment, org.admin.actor, { payment_id: id });
  expect(reminders?.filter((one) => one.sent_at === null && one.skipped_reason === null)).toEqual([]);
  const waiting = await world.runtime.db.read.select().from(jobs).where(eq(jobs.objectId, id));
  expect(waiting.map(({ kind }) => kind)).not.toContain("payments.remind");
  expect((await typesOf(id)).at(-1)).toBe("payment.paid_late");
});
