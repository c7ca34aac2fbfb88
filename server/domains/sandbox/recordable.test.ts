// The filter `recordable`: it finds exactly the payment requests for which money can be recorded.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { paymentActions } from "@/server/domains/payments/operations/actions";
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { extendPayment } from "@/server/domains/payments/operations/extend";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { markPaid } from "@/server/domains/payments/operations/mark-paid";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { reopenPayment } from "@/server/domains/payments/operations/reopen";
import { dayMs } from "@/server/kit/limits";
import { iso } from "@/server/process/clock";
import { closeAccountOf } from "@/test/closing";
import { askMany, payUse } from "@/test/link-payer";
import { ask, card, declineForGood, payPart, payWith, type RequestFields } from "@/test/payer";
import { simulate } from "@/test/simulating";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_LINK: "10000", PAY_FAILURES_PER_IP: "10000" });
});
beforeEach(async () => {
  acme = await world.organization();
});
afterAll(() => world.close());

const actor = () => acme.admin.actor;
const challenged = card("4000002500003155");

/** Each payment request by what became of it, and whether money can be recorded for it. */
const cases: Record<string, [canRecord: boolean, make: () => Promise<string>]> = {
  "nobody has paid": [true, () => made()],
  "it is paid in part": [true, async () => markedInPart()],
  "it is paid": [false, () => made({}, (id) => markAll(id))],
  "part of a part was refunded": [true, async () => afterRefund(100)],
  "its part was refunded": [true, async () => afterRefund(400)],
  "it is canceled": [false, () => made({}, (id) => world.call(cancelPayment, actor(), { payment_id: id }))],
  "it is a draft": [false, () => made({ draft: true } as RequestFields)],
  "too many cards failed": [true, () => made({}, (_, token) => declineForGood(world, token))],
  "it has expired": [false, () => made({ expires_at: soon() })],
  "it is an invoice that has expired": [true, () => made({ type: "invoice", expires_at: soon() })],
  "it has a confirmation open": [false, () => made({}, (_, token) => payWith(world, token, challenged))],
  "it is an expired invoice with a confirmation open": [
    false,
    () => made({ type: "invoice", expires_at: soon() }, (_, token) => payWith(world, token, challenged)),
  ],
  "it is authorized": [false, () => made({ capture_method: "manual" }, (_, token) => payWith(world, token))],
  "a dispute is open": [false, () => made({ allow_partial: true }, (id, token) => disputePart(id, token))],
  "a dispute was lost": [false, () => lost()],
  "a part of a lost dispute was reopened": [true, () => lost(250)],
  "it is a reusable link": [false, async () => (await askMany(world, actor(), {})).payment.payment_id],
  "it begins a trial": [
    false,
    () =>
      made({
        type: "subscription",
        subscription: { interval: "month", interval_count: 1, trial_days: 7 },
      } as RequestFields),
  ],
};

const soon = () => iso(world.clock.now() + dayMs);

async function made(fields: RequestFields = {}, then?: (id: string, token: string) => Promise<unknown>) {
  const { payment, token } = await ask(world, actor(), { amount: 1250, account_id: acme.member.accountId, ...fields });
  await then?.(payment.payment_id, token);
  return payment.payment_id;
}

const markAll = (payment_id: string) => world.call(markPaid, actor(), { payment_id } as never);
const markedInPart = () => made({}, (id) => world.call(markPaid, actor(), { payment_id: id, amount: 400 } as never));

async function afterRefund(amount: number): Promise<string> {
  const id = await markedInPart();
  await world.call(refundPayment, actor(), { payment_id: id, amount } as never);
  return id;
}

async function disputePart(id: string, token: string): Promise<void> {
  await payPart(world, token, "own", 400);
  await simulate(world, acme, id, "dispute");
}

async function lost(reopened?: number): Promise<string> {
  const id = await made({ type: "invoice" }, (_, token) => payWith(world, token));
  await simulate(world, acme, id, "dispute");
  await simulate(world, acme, id, "dispute_lost");
  if (reopened !== undefined) await world.call(reopenPayment, actor(), { payment_id: id, amount: reopened } as never);
  return id;
}

async function listed(filters: object): Promise<string[]> {
  const { data } = await world.call(listPaymentRequests, actor(), { ...filters, limit: 100 });
  return data.map(({ payment_id }) => payment_id);
}

const canRecord = async (payment_id: string) => (await world.call(paymentActions, actor(), { payment_id })).can_record;

it("finds those for which money can be recorded, and says the same as the button and the call", async () => {
  const ids = new Map<string, string>();
  for (const [name, [, make]] of Object.entries(cases)) {
    world.clock.advance(1);
    ids.set(await make(), name);
  }
  world.clock.advance(2 * dayMs);
  const wanted = Object.entries(cases).flatMap(([name, [isWanted]]) => (isWanted ? [name] : []));
  const namesOf = (found: readonly string[]) => found.map((id) => ids.get(id)).sort();
  expect(namesOf(await listed({ recordable: true }))).toEqual([...wanted].sort());
  expect(namesOf(await listed({ recordable: true, account_id: acme.member.accountId }))).toEqual([...wanted].sort());
  const others = Object.keys(cases).filter((name) => !wanted.includes(name));
  expect(namesOf(await listed({ recordable: false }))).toEqual(others.sort());
  for (const [id, name] of ids) {
    expect([name, await canRecord(id)]).toEqual([name, wanted.includes(name)]);
    const recorded = await world.call(markPaid, actor(), { payment_id: id } as never).catch(() => null);
    expect([name, recorded !== null]).toEqual([name, wanted.includes(name)]);
  }
});

it("counts an invoice again whose hold has lapsed, and one that was extended", async () => {
  const invoice = await made({ type: "invoice", capture_method: "manual" }, (_, token) => payWith(world, token));
  const product = await made({ capture_method: "manual" }, (_, token) => payWith(world, token));
  expect(await listed({ recordable: true })).toEqual([]);
  world.clock.advance(8 * dayMs);
  expect(await listed({ recordable: true })).toEqual([invoice]);
  await world.call(extendPayment, actor(), { payment_id: product, expires_at: soon() } as never);
  expect((await listed({ recordable: true })).sort()).toEqual([invoice, product].sort());
  for (const id of [invoice, product]) expect(await markAll(id)).toMatchObject({ amount_due: 0 });
});

it("leaves out a use whose link has no place for it, and everything of a closed account", async () => {
  const { payment, token } = await askMany(world, actor(), { usage_limit: 2, account_id: acme.member.accountId });
  await payUse(world, token, { card_number: "4000 0000 0000 0002" });
  const use = (await listed({ parent_payment_id: payment.payment_id }))[0] ?? "";
  expect(await listed({ recordable: true })).toEqual([use]);
  await payUse(world, token, { email: "ada@example.com" });
  await payUse(world, token, { email: "alan@example.com" });
  expect([await listed({ recordable: true }), await canRecord(use)]).toEqual([[], false]);
  expect(await refusalOf(markAll(use))).toBe("link_used_up");
  const invoice = await made({ type: "invoice", expires_at: soon() });
  world.clock.advance(2 * dayMs);
  expect(await listed({ recordable: true })).toEqual([invoice]);
  await closeAccountOf(world, actor(), acme.member.accountId);
  expect([await listed({ recordable: true }), await canRecord(invoice)]).toEqual([[], false]);
});
