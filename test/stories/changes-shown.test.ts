// Lists in the order of changes have every record of which anything changed that a list shows, wherever it is stored.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { databaseTime } from "@/db/now";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { listCustomers } from "@/server/domains/customers/operations/list";
import { updateCustomerFields } from "@/server/domains/customers/operations/update";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { listSubscriptions } from "@/server/domains/subscriptions/operations/read";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import { settledUntil } from "@/server/kit/change-pages";
import { dayMs } from "@/server/kit/limits";
import { iso } from "@/server/process/clock";
import { cardLink, changeCardTo } from "@/test/card-links";
import { closeAccountOf, eraseCustomerOf, mergeCustomersOf } from "@/test/closing";
import { applyTo, failLate, overpay, refund } from "@/test/credit";
import { askMany, payUse } from "@/test/link-payer";
import { refundRequest } from "@/test/merchant";
import { ask, card, payWith, type RequestFields } from "@/test/payer";
import { moveClock } from "@/test/sandbox-clock";
import { simulate } from "@/test/simulating";
import { commandsOf, readOne, subscribe } from "@/test/subscriber";
import { openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  acme = await world.organization();
});
afterAll(() => world.close());

const actor = () => acme.admin.actor;
const member = () => acme.member.actor;

type Shown = Record<string, unknown>;

/** What each list shows, by the id of the record. The description of `updated_from` exempts what is left out. */
async function shown(query: { updated_from?: string } = {}): Promise<Map<string, string>> {
  const all = { ...query, limit: 100 };
  const [payments, transactions, customers, subscriptions] = [
    (await world.call(listPaymentRequests, actor(), all)).data,
    (await world.call(listTransactions, actor(), all)).data,
    (await world.call(listCustomers, actor(), all)).data,
    (await world.call(listSubscriptions, actor(), all)).data,
  ];
  const withoutTime = (row: Shown & { installments: { status: string }[] | null }) => ({
    ...row,
    installments: row.installments?.map(({ status: _, ...rest }) => rest),
  });
  const withoutCredit = ({ credit: _, ...row }: Shown) => row;
  const rows: [string, Shown][] = [
    ...payments.map((row): [string, Shown] => [row.payment_id, withoutTime(row)]),
    ...transactions.map((row): [string, Shown] => [row.transaction_id, row]),
    ...customers.map((row): [string, Shown] => [row.customer_id, withoutCredit(row)]),
    ...subscriptions.map((row): [string, Shown] => [row.subscription_id, row]),
  ];
  return new Map(rows.map(([id, row]) => [id, JSON.stringify(row)]));
}

/** Waits until what has just been written is old enough to be listed. */
async function settled(): Promise<string> {
  const now = await databaseTime(world.runtime.db.read);
  while ((await settledUntil(world.runtime)) <= now) await new Promise((resume) => setTimeout(resume, 5));
  return iso(await databaseTime(world.runtime.db.read));
}

/** Does it, and expects each record that looks different afterwards among those that have changed. */
async function expectListed(what: string, act: () => Promise<unknown>): Promise<void> {
  const before = await shown();
  const from = await settled();
  await act();
  await settled();
  const [after, listed] = [await shown(), await shown({ updated_from: from })];
  const missed: string[] = [];
  for (const [id, text] of after) {
    if (before.get(id) === text || listed.has(id)) continue;
    const [was, is] = [JSON.parse(before.get(id) ?? "{}"), JSON.parse(text)];
    missed.push(...Object.keys(is).filter((key) => JSON.stringify(was[key]) !== JSON.stringify(is[key])));
  }
  expect([what, missed]).toEqual([what, []]);
}

const paymentsOf = async (payment_id: string) =>
  (await world.call(listTransactions, actor(), { payment_id, status: ["succeeded"] })).data;

const make = (fields: object) => ask(world, member(), fields as RequestFields);

it("after everything that happens to a customer", async () => {
  const one = await world.call(createCustomer, member(), { name: "Ada", email: "ada@example.com" });
  const two = await world.call(createCustomer, member(), { name: "Ada L.", email: "lovelace@example.com" });
  const customer = { customer_id: one.customer_id };
  const paid = await make({ customer, type: "invoice" });
  await payWith(world, paid.token);
  await make({ customer, expires_at: iso(world.clock.now() + 3 * dayMs) });
  const { id } = await subscribe(world, member(), { customer } as never);
  const commands = commandsOf(
    () => world,
    () => member(),
  );
  await expectListed("a new name", () => world.call(updateCustomerFields, member(), { ...customer, name: "Ada King" }));
  await expectListed("a refund", () => refundRequest(world, member(), paid.payment.payment_id));
  await expectListed("a pause", () => commands.pause(id));
  await expectListed("its end", () => commands.resume(id));
  await expectListed("expiry", () => moveClock(world, actor(), "P12D"));
  await expectListed("a renewal", () => moveClock(world, actor(), "P1M"));
  const latest = (await readOne(world, member(), id)).latest_payment_id ?? "";
  await expectListed("a dispute", () => simulate(world, acme, latest, "dispute"));
  await expectListed("its loss", () => simulate(world, acme, latest, "dispute_lost"));
  await expectListed("a cancelation", () => commands.cancel(id));
  await expectListed("a merge", () => mergeCustomersOf(world, actor(), one.customer_id, two.customer_id));
  await expectListed("an erasure", () => eraseCustomerOf(world, actor(), two.customer_id));
});

it("after everything that happens to payment requests, reminders, links and credit", async () => {
  const { customer_id } = await world.call(createCustomer, member(), { name: "Ada", email: "ada2@example.com" });
  const customer = { customer_id };
  const link = await askMany(world, member());
  const due = { type: "invoice", due_at: "2026-11-28", reminders: { offsets_days: [-2] } };
  const reminded = await make({ ...due, customer });
  const [overpaid, fromCredit] = [await make({ customer }), await make({ customer })];
  const hold = await make({ capture_method: "manual" });
  const { id } = await subscribe(world, member(), {} as never);
  await payUse(world, link.token, { card_number: "4000 0000 0000 0002" });
  await expectListed("the use of a link", () => payUse(world, link.token));
  const uses = await world.call(listPaymentRequests, actor(), {
    parent_payment_id: link.payment.payment_id,
    status: ["paid"],
  });
  const use = uses.data[0]?.payment_id ?? "";
  await expectListed("its refund", () => world.call(refundPayment, actor(), { payment_id: use, amount: 100 } as never));
  await expectListed("a reminder", () => moveClock(world, actor(), "P7D"));
  await expectListed("credit", () => overpay(world, actor(), overpaid.payment.payment_id, 1500));
  await expectListed("its use", () => applyTo(world, actor(), fromCredit.payment.payment_id));
  const [spent] = await paymentsOf(fromCredit.payment.payment_id);
  await expectListed("its return", () => refund(world, actor(), spent?.transaction_id ?? "", 100));
  await expectListed("a hold", () => payWith(world, hold.token));
  await expectListed("its end", () => moveClock(world, actor(), "P8D"));
  await expectListed("another card", async () =>
    changeCardTo(world, await cardLink(world, member(), id), card("5555555555554444")),
  );
  await expectListed("a decline", () => payWith(world, reminded.token, card("4000000000000002")));
  await payWith(world, reminded.token);
  const [paid] = await paymentsOf(reminded.payment.payment_id);
  let refunded = "";
  await expectListed("a refund of a transaction", async () => {
    refunded = (await refund(world, actor(), paid?.transaction_id ?? "", 300)).transaction_id;
  });
  await expectListed("its failure", () => failLate(world, refunded));
  await expectListed("a closed account", () => closeAccountOf(world, actor(), acme.member.accountId));
});
