// Customers' credit: made of a surplus, applied, refunded both ways, and every refusal.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eraseCustomer } from "@/server/domains/closing/operations/erase-customer";
import { markPaid } from "@/server/domains/payments/operations/mark-paid";
import { overpaidPayments } from "@/server/domains/payments/operations/surplus";
import { getTransaction } from "@/server/domains/transactions/operations/get";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import { mergeCustomersOf } from "@/test/closing";
import {
  applyTo,
  askCustomer,
  creditOf,
  creditsOf,
  failLate,
  makeCredit,
  newCustomer,
  overpay,
  owedTo,
  refund,
} from "@/test/credit";
import { eventTypesOf } from "@/test/events";
import { balancesOf, expectSoundLedger } from "@/test/money";
import { ask, card, formToken, journalEventsOf, paymentRow, payWith, submit, transactionsOf } from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";

let world: World;
let organization: TestOrganization;
let customer: string;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  organization = await world.organization();
  customer = await newCustomer(world, actor());
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const actor = () => organization.member.actor;
const available = async () => (await balancesOf(world, organization.member.accountId)).available ?? 0;

describe("a surplus that becomes credit", () => {
  it("is in the payment's journal, settles the overpaid amount, and belongs to the customer", async () => {
    const id = await askCustomer(world, actor(), customer, 1_000);
    const paid = await overpay(world, actor(), id, 1_250);
    expect(paid).toMatchObject({
      status: "paid",
      ...{ amount_paid: 1_250, amount_due: 0, amount_overpaid: 0, amount_credited: 250 },
    });
    expect(await creditOf(world, actor(), customer)).toEqual([{ currency: "EUR", amount: 250 }]);
    expect(await owedTo(world, customer)).toBe(250);
    expect(await available()).toBe(1_000);
    const [source = ""] = paid.transaction_ids;
    expect(await journalEventsOf(world, source)).toEqual(["offline_payment_received"]);
    expect(await world.call(getTransaction, actor(), { transaction_id: source })).toMatchObject({
      ...{ customer_id: customer, amount: 1_250, amount_credited: 250, amount_credit_spent: 0 },
    });
    expect((await world.call(overpaidPayments, actor(), {})).total_count).toBe(0);
    await expectOneTruth(world, id);
  });

  it("needs `overpayment`, and a customer who can have credit", async () => {
    const id = await askCustomer(world, actor(), customer, 1_000);
    const mark = { payment_id: id, method: "cash", reason: "Paid", amount: 1_250 } as const;
    expect(await refusalOf(world.call(markPaid, actor(), mark))).toBe("amount_too_large");
    const { payment } = await ask(world, actor(), { amount: 1_000 });
    expect(await refusalOf(overpay(world, actor(), payment.payment_id, 1_250))).toBe("customer_required");
    await world.call(eraseCustomer, actor(), { customer_id: customer });
    expect(await refusalOf(overpay(world, actor(), id, 1_250))).toBe("customer_required");
    expect((await overpay(world, actor(), id, 1_000)).status).toBe("paid");
  });

  it("goes to the survivor of a merged customer", async () => {
    const [id, survivor] = [await askCustomer(world, actor(), customer, 1_000), await newCustomer(world, actor())];
    await mergeCustomersOf(world, actor(), customer, survivor);
    await overpay(world, actor(), id, 1_250);
    expect(await creditOf(world, actor(), survivor)).toEqual([{ currency: "EUR", amount: 250 }]);
  });
});

describe("credit that is applied", () => {
  it("pays by a transaction without provider, oldest credit first, and is announced", async () => {
    const oldest = await makeCredit(world, actor(), customer, 30);
    world.clock.advance(1);
    const newest = await makeCredit(world, actor(), customer, 50);
    const id = await askCustomer(world, actor(), customer, 60);
    const paid = await applyTo(world, actor(), id);
    expect(paid).toMatchObject({ status: "paid", amount_paid: 60, amount_due: 0 });
    const [transaction = ""] = paid.transaction_ids;
    expect(await world.call(getTransaction, actor(), { transaction_id: transaction })).toMatchObject({
      ...{ type: "payment", provider: null, status: "succeeded", customer_id: customer },
      payment_method: { type: "customer_credit" },
    });
    expect(await journalEventsOf(world, transaction)).toEqual(["credit_applied"]);
    expect(await creditsOf(world, customer)).toEqual(
      new Map([
        [oldest, { left: 0, spent: 30 }],
        [newest, { left: 20, spent: 30 }],
      ]),
    );
    expect(await owedTo(world, customer)).toBe(20);
    expect(await eventTypesOf(world, id)).toEqual(["payment.created", "payment.paid", "payment.credit_applied"]);
  });

  it("takes no more than is due or than there is, and leaves the rest due", async () => {
    await makeCredit(world, actor(), customer, 30);
    const id = await askCustomer(world, actor(), customer, 100);
    expect(await refusalOf(applyTo(world, actor(), id, 101))).toBe("amount_too_large");
    expect(await refusalOf(applyTo(world, actor(), id, 31))).toBe("insufficient_credit");
    expect(await applyTo(world, actor(), id, 10)).toMatchObject({ status: "partially_paid", amount_due: 90 });
    expect(await applyTo(world, actor(), id)).toMatchObject({ status: "partially_paid", amount_due: 70 });
    expect(await refusalOf(applyTo(world, actor(), id))).toBe("insufficient_credit");
    const elsewhere = await askCustomer(world, actor(), customer, 100, "USD");
    expect(await refusalOf(applyTo(world, actor(), elsewhere))).toBe("insufficient_credit");
    const { payment } = await ask(world, actor());
    expect(await refusalOf(applyTo(world, actor(), payment.payment_id))).toBe("insufficient_credit");
  });

  it("waits for an attempt in progress, and is refused once nothing is due", async () => {
    await makeCredit(world, actor(), customer, 300);
    const { payment, token } = await ask(world, actor(), { amount: 100, customer: { customer_id: customer } });
    await payWith(world, token, card("4000002500003155"));
    expect(await refusalOf(applyTo(world, actor(), payment.payment_id))).toBe("payment_processing");
    const paid = await askCustomer(world, actor(), customer, 100);
    await applyTo(world, actor(), paid);
    expect(await refusalOf(applyTo(world, actor(), paid))).toBe("payment_already_paid");
  });

  it("is never seen by another account's or organization's user", async () => {
    const id = await askCustomer(world, actor(), customer, 100);
    expect(await refusalOf(applyTo(world, organization.other.actor, id))).toBe("payment_not_found");
    const stranger = await world.organization();
    expect(await refusalOf(applyTo(world, stranger.admin.actor, id))).toBe("payment_not_found");
  });

  it("lets the payer pay the rest by card", async () => {
    await makeCredit(world, actor(), customer, 30);
    const { payment, token } = await ask(world, actor(), { amount: 100, customer: { customer_id: customer } });
    await applyTo(world, actor(), payment.payment_id);
    await submit(world, token, await formToken(world, token));
    const rows = await transactionsOf(world, payment.payment_id);
    expect(rows.map(({ amountCaptured }) => amountCaptured).sort()).toEqual([30, 70]);
    expect((await paymentRow(world, payment.payment_id)).status).toBe("paid");
  });
});

describe("a refund", () => {
  it("of the source takes back what is left of the credit first, and never what was spent", async () => {
    const source = await makeCredit(world, actor(), customer, 50);
    const id = await askCustomer(world, actor(), customer, 20);
    await applyTo(world, actor(), id);
    expect(await refusalOf(refund(world, actor(), source, 131))).toBe("refund_exceeds_captured");
    const taken = await refund(world, actor(), source, 40);
    expect(taken.status).toBe("succeeded");
    expect(await creditsOf(world, customer)).toEqual(new Map([[source, { left: 0, spent: 20 }]]));
    expect(await available()).toBe(110);
    expect((await refund(world, actor(), source)).amount).toBe(90);
    expect(await refusalOf(refund(world, actor(), source, 1))).toBe("refund_exceeds_captured");
    expect(await available()).toBe(20);
  });

  it("that fails later gives back what it took of the credit", async () => {
    const source = await makeCredit(world, actor(), customer, 50);
    const { transaction_id } = await refund(world, actor(), source, 60);
    expect([await owedTo(world, customer), await available()]).toEqual([0, 90]);
    await failLate(world, transaction_id);
    expect([await owedTo(world, customer), await available()]).toEqual([50, 100]);
    expect(await creditsOf(world, customer)).toEqual(new Map([[source, { left: 50, spent: 0 }]]));
  });

  it("of a payment made of credit gives credit back, the newest first, and moves no money", async () => {
    const oldest = await makeCredit(world, actor(), customer, 30);
    world.clock.advance(1);
    const newest = await makeCredit(world, actor(), customer, 50);
    const id = await askCustomer(world, actor(), customer, 60);
    const [payment = ""] = (await applyTo(world, actor(), id)).transaction_ids;
    const given = await refund(world, actor(), payment, 40);
    expect(given).toMatchObject({ status: "succeeded", provider: null, payment_method: { type: "customer_credit" } });
    expect(await journalEventsOf(world, given.transaction_id)).toEqual(["credit_given_back"]);
    expect(await creditsOf(world, customer)).toEqual(
      new Map([
        [oldest, { left: 10, spent: 20 }],
        [newest, { left: 50, spent: 0 }],
      ]),
    );
    await refund(world, actor(), payment);
    expect(await creditOf(world, actor(), customer)).toEqual([{ currency: "EUR", amount: 80 }]);
    expect((await paymentRow(world, id)).status).toBe("refunded");
  });
});

describe("a customer with credit", () => {
  it("gives it to the survivor when it is merged, by a journal for each currency", async () => {
    const source = await makeCredit(world, actor(), customer, 30);
    const survivor = await newCustomer(world, actor());
    await mergeCustomersOf(world, actor(), customer, survivor);
    expect([await owedTo(world, customer), await owedTo(world, survivor)]).toEqual([0, 30]);
    expect(await creditOf(world, actor(), survivor)).toEqual([{ currency: "EUR", amount: 30 }]);
    expect(await creditOf(world, actor(), customer)).toEqual([]);
    expect(await journalEventsOf(world, source)).toEqual(["credit_moved", "offline_payment_received"]);
    await refund(world, actor(), source, 10);
    expect(await owedTo(world, survivor)).toBe(20);
  });

  it("is in use until it has none", async () => {
    const source = await makeCredit(world, actor(), customer, 30);
    expect(await refusalOf(world.call(eraseCustomer, actor(), { customer_id: customer }))).toBe("customer_in_use");
    await refund(world, actor(), source, 30);
    await world.call(eraseCustomer, actor(), { customer_id: customer });
  });

  it("gets none back once it is erased", async () => {
    await makeCredit(world, actor(), customer, 50);
    const [paid = ""] = (await applyTo(world, actor(), await askCustomer(world, actor(), customer, 50)))
      .transaction_ids;
    await world.call(eraseCustomer, actor(), { customer_id: customer });
    expect(await refusalOf(refund(world, actor(), paid))).toBe("customer_required");
    expect(await owedTo(world, customer)).toBe(0);
  });

  it("finds its transactions, also by the id of one that was merged into it", async () => {
    const source = await makeCredit(world, actor(), customer, 30);
    const survivor = await newCustomer(world, actor());
    const id = await askCustomer(world, actor(), survivor, 100);
    await mergeCustomersOf(world, actor(), customer, survivor);
    const [credit = ""] = (await applyTo(world, actor(), id)).transaction_ids;
    const listed = async (query: object) =>
      (await world.call(listTransactions, actor(), query)).data.map((row) => [row.transaction_id, row.customer_id]);
    for (const customer_id of [customer, survivor]) {
      const found = await listed({ customer_id });
      expect(found.sort()).toEqual([source, credit].sort().map((one) => [one, survivor]));
    }
    expect(await listed({ customer_credit: true })).toEqual([[credit, survivor]]);
    expect(await listed({ customer_credit: false, customer_id: survivor })).toEqual([[source, survivor]]);
    const stranger = await world.organization();
    const foreign = await newCustomer(world, stranger.member.actor);
    expect(await refusalOf(listed({ customer_id: foreign }))).toBe("customer_not_found");
  });
});
