// What a customer is told about a subscription: that the last try comes, that it ends or ended, and that it costs more.
import { and, eq, inArray, like } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { mails } from "@/db/tables";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { updateSubscriptionFields } from "@/server/domains/subscriptions/operations/update";
import { dayMs } from "@/server/kit/limits";
import { closeAccountOf } from "../closing";
import { pass } from "../jobs";
import { expectSoundLedger } from "../money";
import { ask, card, paymentRow, payWith } from "../payer";
import { moveClock } from "../sandbox-clock";
import { commandsOf, monthly, readOne, subscribe } from "../subscriber";
import { openWorld, refusalOf, type TestOrganization, type World } from "../world";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  acme = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const actor = () => acme.member.actor;
const command = commandsOf(
  () => world,
  () => actor(),
);
const advance = (duration: string) => moveClock(world, acme.admin.actor, duration);
const begin = (fields: Parameters<typeof subscribe>[2] = {}, method?: Parameters<typeof subscribe>[3]) =>
  subscribe(world, actor(), { customer: { email: `grace.${acme.id}@example.com` }, ...fields }, method);

/** The mails to the customer about the subscription itself. All are written at one real time. */
async function told(kinds = ["renewal_failed", "subscription_%", "amount_changed"]) {
  const rows = await world.runtime.db.read.select().from(mails).where(eq(mails.organizationId, acme.id));
  const isOne = (kind: string) => kinds.some((one) => new RegExp(`^${one.replace("%", ".*")}$`).test(kind));
  return rows.filter(({ kind }) => isOne(kind));
}
const kindsTold = async () => (await told()).map(({ kind }) => kind).sort();

describe("the end", () => {
  it("is announced before the last try, and told after it, once", async () => {
    const { id } = await begin({}, card("4000000000000341"));
    await advance("P1M");
    await advance("P6D");
    const failed = await told();
    expect(failed.map(({ kind }) => kind)).toEqual(Array(4).fill("renewal_failed"));
    const warnings = failed.filter(({ text }) => text?.includes("If this last try fails too, your subscription with"));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.text).toContain("Last try with the stored card: December 27, 2026");
    await advance("P9D");
    expect(await readOne(world, actor(), id)).toMatchObject({ status: "ended", end_reason: "payment_failed" });
    const [last] = await told(["subscription_ended"]);
    expect(last).toMatchObject({ kind: "subscription_ended", toAddress: `grace.${acme.id}@example.com` });
    expect(last?.text).toContain("The last try to charge your stored card has failed");
    expect(await told()).toHaveLength(5);
  });

  it("is told when somebody cancels it at once, also after it was to end later", async () => {
    const [one, other] = [await begin(), await begin()];
    await command.cancel(one.id);
    expect(await kindsTold()).toEqual(["subscription_ended"]);
    await command.cancel(other.id, "period_end");
    await command.cancel(other.id);
    expect(await kindsTold()).toEqual(["subscription_ended", "subscription_ended", "subscription_ending"]);
  });

  it("is told with its date when it is canceled at the end of the period, and not again then", async () => {
    const { id } = await begin();
    await command.cancel(id, "period_end");
    const [ending] = await told();
    expect(ending?.kind).toBe("subscription_ending");
    const { current_period_end: end } = await readOne(world, actor(), id);
    const day = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(new Date(end ?? ""));
    expect(ending?.text).toContain(day);
    await command.keep(id);
    await command.cancel(id, "period_end");
    await advance("P2M");
    expect(await readOne(world, actor(), id)).toMatchObject({ status: "canceled" });
    expect(await kindsTold()).toEqual(["subscription_ending", "subscription_ending", "subscription_kept"]);
  });

  it("is told after the last cycle, and when the account is closed", async () => {
    await begin({ subscription: { ...monthly, cycles: 2 } });
    await advance("P2M");
    const [complete] = await told();
    expect(complete?.text).toContain("You have made the last payment");
    await begin();
    await closeAccountOf(world, acme.admin.actor, acme.member.accountId);
    await pass(world, 0);
    expect(await kindsTold()).toEqual(["subscription_ended", "subscription_ended"]);
  });

  it("of what never began is told to nobody", async () => {
    const asked = await ask(world, actor(), {
      type: "subscription",
      subscription: monthly,
      customer: { email: `grace.${acme.id}@example.com` },
    });
    await payWith(world, asked.token, card("4000000000000002"));
    await advance("P2M");
    expect(await told()).toEqual([]);
  });
});

it("a standstill costs no try of a renewal", async () => {
  const { id } = await begin({}, card("4000000000000341"));
  await pass(world, 31 * dayMs);
  expect(await readOne(world, actor(), id)).toMatchObject({ status: "past_due" });
  const failedAt = world.clock.now();
  await pass(world, 8 * dayMs);
  const tries = [];
  for (let day = 0; day < 9; day++) {
    const { status, next_charge_at: next } = await readOne(world, actor(), id);
    if (status === "past_due") tries.push(Math.round((Date.parse(next ?? "") - failedAt) / dayMs));
    await pass(world, dayMs);
  }
  // The first retry is made on the eighth day, and the others two days apart as always.
  expect([...new Set(tries)]).toEqual([10, 12, 14]);
  expect(await readOne(world, actor(), id)).toMatchObject({ status: "ended", end_reason: "payment_failed" });
  expect((await kindsTold()).filter((kind) => kind === "renewal_failed")).toHaveLength(4);
});

describe("a change", () => {
  const change = (subscription_id: string, fields: object) =>
    world.call(updateSubscriptionFields, actor(), { subscription_id, ...fields });

  it("of the amount is mailed with both amounts and the date of the first charge", async () => {
    const { id } = await begin({ amount: 1000 });
    await change(id, { amount: 1500 });
    await change(id, { amount: 1500, description: "The same price" });
    const [mail, ...others] = await told();
    expect(others).toEqual([]);
    expect(mail?.kind).toBe("amount_changed");
    const { next_charge_at: next } = await readOne(world, actor(), id);
    const day = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(new Date(next ?? ""));
    for (const text of ["€10.00", "€15.00", day]) expect(mail?.text).toContain(text);
  });

  it("to more than three times the amount needs to be confirmed", async () => {
    const { id } = await begin({ amount: 1190 });
    expect(await refusalOf(change(id, { amount: 119_000 }))).toBe("amount_not_confirmed");
    expect(await refusalOf(change(id, { amount: 3571 }))).toBe("amount_not_confirmed");
    expect((await readOne(world, actor(), id)).amount).toBe(1190);
    expect(await told()).toEqual([]);
    expect(await change(id, { amount: 3570 })).toMatchObject({ amount: 3570 });
    expect(await change(id, { amount: 119_000, confirm_amount: true })).toMatchObject({ amount: 119_000 });
    expect(await change(id, { amount: 1 })).toMatchObject({ amount: 1 });
  });

  it("needs to be confirmed again however small its steps are, until more is charged", async () => {
    const { id } = await begin({ amount: 1250 });
    expect(await change(id, { amount: 3750 })).toMatchObject({ amount: 3750 });
    expect(await refusalOf(change(id, { amount: 3751 }))).toBe("amount_not_confirmed");
    expect(await change(id, { amount: 100 })).toMatchObject({ amount: 100 });
    // Nobody has paid so little yet.
    expect(await change(id, { amount: 3750 })).toMatchObject({ amount: 3750 });
    await advance("P1M");
    expect(await change(id, { amount: 11_250 })).toMatchObject({ amount: 11_250 });
    expect(await refusalOf(change(id, { amount: 11_251 }))).toBe("amount_not_confirmed");
  });

  it("that was made while the subscription was to end is mailed once it is kept", async () => {
    const { id } = await begin({ amount: 1000 });
    await command.cancel(id, "period_end");
    await change(id, { amount: 1500 });
    expect(await kindsTold()).toEqual(["subscription_ending"]);
    await command.keep(id);
    const mails = await told();
    expect(await kindsTold()).toEqual(["amount_changed", "subscription_ending", "subscription_kept"]);
    const changed = mails.find(({ kind }) => kind === "amount_changed");
    for (const text of ["€10.00", "€15.00"]) expect(changed?.text).toContain(text);
    await command.cancel(id, "period_end");
    await change(id, { amount: 1000 });
    await command.keep(id);
    expect((await kindsTold()).filter((kind) => kind === "amount_changed")).toHaveLength(1);
  });

  it("is not mailed for a subscription that is kept in its last period, which ends it all the same", async () => {
    const { id } = await begin({ amount: 1000, subscription: { ...monthly, cycles: 2 } }, card("4000000000000341"));
    await change(id, { amount: 1500 });
    await advance("P1M");
    expect(await readOne(world, actor(), id)).toMatchObject({ status: "past_due" });
    await command.cancel(id, "period_end");
    await command.keep(id);
    expect(await kindsTold()).toEqual(["amount_changed", "renewal_failed", "subscription_ending"]);
  });

  it("keeps what the amount is made of, with its taxes", async () => {
    const line = { name: "Plan", quantity: 1, unit_amount: 1000, tax_rate_bp: 1900 };
    const { id, payment } = await begin({ amount: null, line_items: [line] });
    const lines = payment.line_items;
    expect(await readOne(world, actor(), id)).toMatchObject({ amount: 1190, line_items: lines });
    expect(await refusalOf(change(id, { amount: 2380 }))).toBe("invalid_request");
    const dearer = { ...line, unit_amount: 2000 };
    expect(await refusalOf(change(id, { amount: 2000, line_items: [dearer] }))).toBe("amount_mismatch");
    expect(await refusalOf(change(id, { line_items: [{ ...line, tax_category: "O" }] }))).toBe("invalid_request");
    expect(await change(id, { line_items: [dearer] })).toMatchObject({ amount: 2380, line_items: [dearer] });
    await advance("P1M");
    const { latest_payment_id: renewal } = await readOne(world, actor(), id);
    expect(await paymentRow(world, renewal)).toMatchObject({ amount: 2380, status: "paid", lineItems: [dearer] });
    expect(await change(id, { amount: 1500, line_items: [] })).toMatchObject({ amount: 1500, line_items: [] });
    expect(await change(id, { line_items: [dearer], amount: 2380 })).toMatchObject({ amount: 2380 });
  });

  it("of description and metadata reaches the next payment request, its page and its mails", async () => {
    const { id } = await begin({ description: "Basic plan", metadata: { plan: "basic", order: "7" } });
    expect(await readOne(world, actor(), id)).toMatchObject({ description: "Basic plan" });
    const changed = await change(id, { description: "Pro plan", metadata: { plan: "pro", order: null } });
    expect(changed).toMatchObject({ description: "Pro plan", metadata: { plan: "pro" } });
    await advance("P1M");
    const { latest_payment_id: renewal, first_payment_id: first } = await readOne(world, actor(), id);
    expect(await paymentRow(world, renewal)).toMatchObject({ description: "Pro plan", metadata: { plan: "pro" } });
    expect(await paymentRow(world, first)).toMatchObject({ description: "Basic plan" });
    const receipts = await world.runtime.db.read
      .select()
      .from(mails)
      .where(and(inArray(mails.paymentId, [renewal]), like(mails.kind, "payment_receipt")));
    expect(receipts).toHaveLength(1);
    expect(receipts[0]?.text).toContain("Pro plan");
    await change(id, { description: null });
    await advance("P1M");
    const { latest_payment_id: later } = await readOne(world, actor(), id);
    expect(await paymentRow(world, later)).toMatchObject({ description: null });
  });

  it("is found by the filter of its payment requests, of nobody else", async () => {
    const [one, other] = [await begin(), await begin()];
    await advance("P1M");
    const list = (subscription_id: string, caller = actor()) =>
      world.call(listPaymentRequests, caller, { subscription_id });
    const { latest_payment_id: renewal } = await readOne(world, actor(), one.id);
    expect((await list(one.id)).data.map(({ payment_id: id }) => id)).toEqual([renewal, one.payment.payment_id]);
    expect((await list(other.id)).data).toHaveLength(2);
    const elsewhere = await world.organization();
    expect((await list(one.id, elsewhere.admin.actor)).data).toEqual([]);
    expect((await list(one.id, elsewhere.member.actor)).data).toEqual([]);
  });

  it("is refused once no cycle follows", async () => {
    const { id } = await begin({ subscription: { ...monthly, cycles: 1 } });
    expect(await refusalOf(change(id, { amount: 2000 }))).toBe("invalid_subscription_state");
  });
});
