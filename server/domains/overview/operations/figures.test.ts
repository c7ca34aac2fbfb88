// The figures of the home page: equal to what a scan of the lists adds up to, in any time zone and for any reader.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { applyCredit } from "@/server/domains/payments/operations/apply-credit";
import { createPayment } from "@/server/domains/payments/operations/create";
import { markPaid } from "@/server/domains/payments/operations/mark-paid";
import { filtersOfTab } from "@/server/domains/payments/status-tabs";
import type { Transaction } from "@/server/domains/transactions/schema";
import type { Actor } from "@/server/kit/context";
import { dayOf } from "@/server/kit/day-bounds";
import { dayMs, hourMs, limits } from "@/server/kit/limits";
import { paymentPages, transactionPages } from "@/test/lists";
import { captureRequest } from "@/test/merchant";
import { create } from "@/test/money";
import { card, goodCard, payWith, tokenOf } from "@/test/payer";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { settledStatuses } from "../settled";
import { overviewFigures } from "./figures";

let world: World;
let acme: TestOrganization;

const currencies = ["EUR", "JPY", "KWD"];

/** Movements in steps of eleven hours, so that they fall into both periods of a week and cross midnight anywhere. */
async function populate(): Promise<void> {
  const owners = [acme.member, acme.other, acme.admin];
  for (let i = 0; i < 40; i++) {
    const { actor, accountId: account_id } = owners[i % 3] ?? acme.member;
    const money = { amount: 1000 + i * 7, currency: currencies[i % 3] ?? "EUR" };
    const request = await world.call(createPayment, actor, {
      ...{ type: "product", ...money, capture_method: i % 4 === 0 ? "manual" : "automatic" },
      ...(i % 5 === 0 ? { expires_at: new Date(world.clock.now() + hourMs).toISOString() } : {}),
    });
    const token = tokenOf(request.payment_url);
    if (i % 4 < 2) await payWith(world, token, i % 8 === 1 ? card("4000000000000002") : goodCard);
    if (i % 8 === 0) await captureRequest(world, actor, request.payment_id, 100 + i);
    const paid = await create(world, acme.admin.actor, { type: "payment", account_id, ...money });
    await create(world, acme.admin.actor, { type: "credit", account_id, ...money });
    const refund = { type: "refund" as const, parent_transaction_id: paid.transaction_id };
    if (i % 3 === 0) await create(world, actor, { ...refund, amount: 1 + i });
    if (i % 6 === 1) await create(world, actor, refund);
    world.clock.advance(11 * hourMs);
  }
}

beforeAll(async () => {
  world = await openWorld();
  acme = await world.organization();
  await populate();
});
afterAll(() => world.close());

const sum = <T>(rows: readonly T[], pick: (row: T) => number) => rows.reduce((total, row) => total + pick(row), 0);
const movedBy = ({ type, amount, amount_captured }: Transaction) => (type === "payment" ? amount_captured : amount);

interface Scan {
  transactions: Transaction[];
  /** The days of the transactions in the time zone, by id. */
  days: ReadonlyMap<string, string>;
}

/** Every payment and refund that counts, read from the list row by row. */
async function scanAs(actor: Actor, timezone: string): Promise<Scan> {
  const all = (await transactionPages(world, actor, {}, 100)).rows;
  const isSettled = ({ status }: Transaction) => (settledStatuses as readonly string[]).includes(status);
  const transactions = all.filter((row) => isSettled(row) && ["payment", "refund"].includes(row.type));
  return {
    transactions,
    days: new Map(transactions.map((row) => [row.transaction_id, dayOf(row.created_at, timezone)])),
  };
}

const kinds = [
  ["received", "payment"],
  ["refunded", "refund"],
] as const;

/** Checks every figure against a scan of all transactions. */
async function expectScanned(actor: Actor, timezone: string): Promise<void> {
  const { transactions, days: dayBy } = await scanAs(actor, timezone);
  for (const days of limits.overview.days) {
    const figures = await world.call(overviewFigures, actor, { days, timezone });
    expect(figures).toMatchObject({ is_complete: true, is_open_complete: true, is_requested_complete: true });
    expect(figures.days).toHaveLength(days);
    const within = ({ from, to }: { from: string; to: string }) =>
      transactions.filter(
        ({ created_at: at }) => Date.parse(at) >= Date.parse(from) && Date.parse(at) < Date.parse(to),
      );
    const [now, before] = [within(figures.period), within(figures.before)];
    expect(new Set([...now, ...before].map((row) => row.currency))).toEqual(
      new Set(
        figures.currencies.flatMap((one) => (one.now.received.count + one.before.received.count ? one.currency : [])),
      ),
    );
    for (const one of figures.currencies) {
      for (const [name, type] of kinds) {
        const own = (rows: Transaction[]) => rows.filter((row) => row.type === type && row.currency === one.currency);
        const totalOf = (rows: Transaction[]) => ({ amount: sum(rows, movedBy), count: rows.length });
        expect(one.now[name]).toEqual(totalOf(own(now)));
        expect(one.before[name]).toEqual(totalOf(own(before)));
        const ofDay = (day: string) => own(transactions).filter((row) => dayBy.get(row.transaction_id) === day);
        expect(one.days.map((day) => day[name])).toEqual(figures.days.map(({ day }) => sum(ofDay(day), movedBy)));
      }
    }
  }
}

describe("the figures equal what a scan adds up to", () => {
  it.each(["UTC", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Kiritimati"])(
    "on days of %s",
    (timezone) => expectScanned(acme.admin.actor, timezone),
  );

  it("for a member, who sees only their own accounts", async () => {
    await expectScanned(acme.member.actor, "Europe/Berlin");
    const own = await world.call(overviewFigures, acme.member.actor, { days: 90, timezone: "UTC" });
    const whole = await world.call(overviewFigures, acme.admin.actor, { days: 90, timezone: "UTC" });
    const count = (figures: typeof own) => sum(figures.currencies, (one) => one.now.received.count);
    expect(count(own)).toBeLessThan(count(whole));
  });

  it("and are empty for another organization", async () => {
    const { admin } = await world.organization();
    const figures = await world.call(overviewFigures, admin.actor, { days: 90, timezone: "UTC" });
    expect(figures.currencies).toEqual([]);
  });
});

it.each(["admin", "member"] as const)("the lists that the figures link to add up to them, for the %s", async (role) => {
  const { actor } = acme[role];
  const figures = await world.call(overviewFigures, actor, { days: 7, timezone: "Europe/Berlin" });
  expect(figures.currencies).toHaveLength(role === "admin" ? currencies.length : 1);
  for (const { currency, now, before, open } of figures.currencies) {
    for (const [name, type] of kinds) {
      for (const [{ from, to }, found] of [
        [figures.period, now],
        [figures.before, before],
      ] as const) {
        const filters = { type: [type], status: [...settledStatuses], currency, created_from: from, created_to: to };
        const { rows } = await transactionPages(world, actor, filters, 100);
        expect(found[name]).toEqual({ amount: sum(rows, movedBy), count: rows.length });
      }
    }
    for (const [{ from, to }, { requested }] of [
      [figures.period, now],
      [figures.before, before],
    ] as const) {
      const isWithin = ({ created_at: at }: { created_at: string }) =>
        Date.parse(at) >= Date.parse(from) && Date.parse(at) < Date.parse(to);
      const all = (await paymentPages(world, actor, {}, 100)).rows;
      const rows = all.filter((row) => row.currency === currency && isWithin(row));
      expect(requested).toEqual({ amount: sum(rows, (row) => row.amount ?? 0), count: rows.length });
      expect(rows.length).toBeGreaterThan(0);
      const span = { currency, created_from: from, created_to: to };
      expect((await paymentPages(world, actor, { ...span, requested: true }, 100)).rows).toEqual(rows);
    }
    const due = (await paymentPages(world, actor, { ...filtersOfTab.open, currency }, 100)).rows;
    expect(open).toEqual({ amount: sum(due, (row) => row.amount_due), count: due.length });
    expect(due.length).toBeGreaterThan(0);
  }
});

describe("the period before", () => {
  it("ends at the same time of day as now, so that both are equally long", async () => {
    const { period, before, days } = await world.call(overviewFigures, acme.admin.actor, { days: 7, timezone: "UTC" });
    const elapsed = world.clock.now() - Date.parse(period.from);
    expect(Date.parse(before.to) - Date.parse(before.from)).toBe(elapsed);
    expect(Date.parse(period.from) - Date.parse(before.from)).toBe(7 * dayMs);
    expect(days.at(-1)?.day).toBe(dayOf(new Date(world.clock.now()).toISOString(), "UTC"));
  });
});

it("refuses a period or a time zone that does not exist", async () => {
  const call = (input: object) => world.call(overviewFigures, acme.admin.actor, input as never);
  await expect(call({ days: 8, timezone: "UTC" })).rejects.toMatchObject({ code: "invalid_request" });
  await expect(call({ days: 7, timezone: "Mars/Base" })).rejects.toMatchObject({ code: "invalid_request" });
});

it("what is paid of a customer's credit was received before, and is not counted again", async () => {
  const { member } = await world.organization();
  const { customer_id } = await world.call(createCustomer, member.actor, { name: "Grace" });
  const ask = (amount: number) =>
    world.call(createPayment, member.actor, { type: "product", amount, currency: "EUR", customer: { customer_id } });
  const received = async () => {
    const figures = await world.call(overviewFigures, member.actor, { days: 7, timezone: "UTC" });
    return figures.currencies.map((one) => [one.now.received.amount, one.now.received.count]);
  };
  const first = await ask(1000);
  await world.call(markPaid, member.actor, { payment_id: first.payment_id, amount: 1600, overpayment: "credit" });
  const before = await received();
  expect(before).toEqual([[1600, 1]]);
  const second = await ask(600);
  const paid = await world.call(applyCredit, member.actor, { payment_id: second.payment_id });
  expect(paid).toMatchObject({ status: "paid", amount_paid: 600 });
  expect(await received()).toEqual(before);
});
