// Too many declines: who has to wait, when the page takes no card, what stays possible, and allowing cards again.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { dayMs, hourMs, limits } from "@/server/kit/limits";
import { expectSoundLedger } from "@/test/money";
import {
  anyone,
  ask,
  card,
  chosenOn,
  declineForGood,
  formToken,
  paymentRow,
  type RequestFields,
  submit,
} from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { anotherProcess, openWorld, type TestOrganization, type World } from "@/test/world";
import { paymentActions } from "./actions";
import { allowCards } from "./allow-cards";
import { applyCredit } from "./apply-credit";
import { cancelPayment } from "./cancel";
import { extendPayment } from "./extend";
import { markPaid } from "./mark-paid";
import { viewPayment } from "./view";

let world: World;
/** Calls come from two processes if the engine supports several. */
let other: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000" });
  other = dialect === "postgres" ? await anotherProcess(world) : world;
});
beforeEach(async () => {
  world.clock.advance(hourMs);
  acme = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  if (other !== world) await other.close();
  await world.close();
});

const actor = () => acme.member.actor;
const request = (fields: RequestFields = {}) => ask(world, actor(), fields);
const stranger = { ip: "198.51.100.66" };
const customer = { ip: "203.0.113.9" };
const refusedCard = card("4000000000000002");
const open = (token: string, from = customer) => world.call(viewPayment, anyone, { token }, from);
const cash = { method: "cash", reason: "Paid at the counter" } as const;
const allow = (payment_id: string, from = world) => from.call(allowCards, actor(), { payment_id });

async function decline(token: string, times: number, from = stranger): Promise<void> {
  for (let i = 0; i < times; i++) {
    const page = await open(token, from);
    await submit(world, token, page.form_token ?? "", { ...refusedCard, ...chosenOn(page, "all") }, from);
  }
}

describe("ten declines of one address", () => {
  it("make it wait for an hour, and nobody else", async () => {
    const { payment, token } = await request();
    await decline(token, 10);
    const shut = await open(token, stranger);
    expect(shut).toMatchObject({ state: "failed", form_token: null });
    expect(Date.parse(shut.cards_open_at ?? "")).toBe(world.clock.now() + hourMs);
    const again = submit(world, token, await formToken(world, token), refusedCard, stranger);
    await expect(again).rejects.toMatchObject({ code: "rate_limited" });
    expect(await open(token)).toMatchObject({ state: "open", cards_open_at: null });
    expect((await paymentRow(world, payment.payment_id)).status).toBe("pending");
    world.clock.advance(hourMs);
    expect((await open(token, stranger)).state).toBe("open");
    await submit(world, token, await formToken(world, token), undefined, customer);
    expect((await paymentRow(world, payment.payment_id)).status).toBe("paid");
    await expectOneTruth(world, payment.payment_id);
  });

  it("are forgotten once the merchant allows cards again", async () => {
    const { payment, token } = await request();
    const { payment_id } = payment;
    await decline(token, 9);
    expect(await world.call(paymentActions, actor(), { payment_id })).toMatchObject({ can_allow_cards: false });
    await decline(token, 1);
    expect(await world.call(paymentActions, actor(), { payment_id })).toMatchObject({ can_allow_cards: true });
    world.clock.advance(1);
    expect((await allow(payment_id)).status).toBe("pending");
    expect((await open(token, stranger)).state).toBe("open");
    expect(await world.call(paymentActions, actor(), { payment_id })).toMatchObject({ can_allow_cards: false });
  });
});

describe("a page that takes no card", () => {
  const failed = async (fields: RequestFields = {}) => {
    const asked = await request(fields);
    await declineForGood(world, asked.token);
    const { payment_id } = asked.payment;
    expect(await paymentRow(world, payment_id)).toMatchObject({ status: "failed" });
    expect(await open(asked.token)).toMatchObject({ state: "failed", cards_open_at: null, form_token: null });
    return { payment_id, token: asked.token };
  };

  it("leaves money from elsewhere, credit, installments and extensions possible", async () => {
    const ada = { email: "ada@example.com", reference: "ada" };
    const surplus = (await request({ customer: ada, amount: 100 })).payment.payment_id;
    await world.call(markPaid, actor(), { payment_id: surplus, amount: 300, overpayment: "credit", ...cash });
    const due = (days: number) => new Date(world.clock.now() + days * dayMs).toISOString().slice(0, 10);
    const installments = [30, 60, 90].map((days) => ({ amount: 400, due_at: due(days) }));
    const { payment_id } = await failed({ type: "invoice", amount: 1200, customer: ada, installments });
    const part = await world.call(markPaid, actor(), { payment_id, amount: 400, ...cash });
    expect(part).toMatchObject({ status: "failed", amount_due: 800 });
    expect(part.installments?.map(({ status }) => status)).toEqual(["paid", "due", "upcoming"]);
    expect(await world.call(applyCredit, actor(), { payment_id })).toMatchObject({ amount_due: 600 });
    const money = { type: "payment", payment_id, amount: 600, currency: "EUR" } as const;
    await world.call(createTransaction, actor(), { ...money, account_id: acme.member.accountId });
    expect(await paymentRow(world, payment_id)).toMatchObject({ status: "paid" });
    await expectOneTruth(world, payment_id);
  });

  it("expires like others, can be extended, and takes cards once they are allowed", async () => {
    const { payment_id, token } = await failed({ expires_at: new Date(world.clock.now() + dayMs).toISOString() });
    world.clock.advance(dayMs);
    expect((await open(token)).state).toBe("expired");
    const expires_at = new Date(world.clock.now() + dayMs).toISOString();
    expect(await world.call(extendPayment, actor(), { payment_id, expires_at })).toMatchObject({ status: "failed" });
    expect((await allow(payment_id)).status).toBe("pending");
    world.clock.advance(1);
    await submit(world, token, await formToken(world, token), refusedCard, customer);
    expect((await paymentRow(world, payment_id)).status).toBe("pending");
    await submit(world, token, await formToken(world, token), undefined, customer);
    expect((await paymentRow(world, payment_id)).status).toBe("paid");
    await expectOneTruth(world, payment_id);
  });

  it("can be canceled", async () => {
    const { payment_id } = await failed();
    expect((await world.call(cancelPayment, actor(), { payment_id })).status).toBe("canceled");
  });

  it("is opened while somebody pays from elsewhere, whichever comes first", async () => {
    const { payment_id } = await failed();
    const mark = other.call(markPaid, actor(), { payment_id, ...cash });
    await Promise.allSettled([allow(payment_id), mark]);
    expect((await paymentRow(world, payment_id)).status).toBe("paid");
    await expectOneTruth(world, payment_id);
  });
});

describe("allowing cards is refused", () => {
  it("for what is paid, canceled or not final", async () => {
    const paid = (await request()).payment.payment_id;
    await world.call(markPaid, actor(), { payment_id: paid, ...cash });
    await expect(allow(paid)).rejects.toMatchObject({ code: "payment_already_paid" });
    const canceled = (await request()).payment.payment_id;
    await world.call(cancelPayment, actor(), { payment_id: canceled });
    await expect(allow(canceled)).rejects.toMatchObject({ code: "payment_not_payable" });
    const draft = (await request({ draft: true })).payment.payment_id;
    await expect(allow(draft)).rejects.toMatchObject({ code: "payment_not_payable" });
    const link = (await request({ usage_limit: null })).payment.payment_id;
    await expect(allow(link)).rejects.toMatchObject({ code: "payment_not_payable" });
  });
});

it("parts that are paid between declines do not begin the count anew", async () => {
  const { payment, token } = await request({ allow_partial: true });
  await decline(token, 1);
  await world.call(markPaid, actor(), { payment_id: payment.payment_id, amount: 10, ...cash });
  for (let i = 1; i < limits.failures.declined; i++) await decline(token, 1, { ip: `198.51.100.${i}` });
  expect((await paymentRow(world, payment.payment_id)).status).toBe("failed");
});
