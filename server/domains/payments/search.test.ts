// Searching payment requests by words and ids, counting them by tab, and indexing those older than the search.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { paymentStatuses } from "@/db/schema/values";
import { accounts, payments } from "@/db/tables";
import type { Actor } from "@/server/kit/context";
import { runJobsOnce } from "@/test/jobs";
import { ask, declineForGood, payWith } from "@/test/payer";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { cancelPayment } from "./operations/cancel";
import { countPayments } from "./operations/counts";
import { createPayment } from "./operations/create";
import { getPayment } from "./operations/get";
import { listPaymentRequests } from "./operations/list";
import { tabs } from "./status-tabs";

let world: World;
let acme: TestOrganization;
let other: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  world.clock.advance(1000);
  [acme, other] = [await world.organization(), await world.organization("Other")];
});
afterAll(() => world.close());

type Query = Parameters<typeof world.call<typeof listPaymentRequests.input, typeof listPaymentRequests.output>>[2];
const find = async (actor: Actor, query: Query) =>
  (await world.call(listPaymentRequests, actor, query)).data.map(({ payment_id }) => payment_id);
const make = async (given: object = {}, actor: Actor = acme.member.actor) => {
  world.clock.advance(1000);
  const input = { type: "product", amount: 500, currency: "EUR", ...given } as const;
  return (await world.call(createPayment, actor, input)).payment_id;
};
const counts = (actor: Actor, query: object = {}) => world.call(countPayments, actor, query);

describe("q", () => {
  it("finds prefixes of words in the reference, description, name and address, in any case", async () => {
    const cake = await make({ description: "Wedding cake, three tiers", reference: "INV-77/2026" });
    const desk = await make({
      description: "Straße and ÅNGSTRÖM",
      customer: { name: "Zoë Lovelace", email: "Zoe.L@Shop.example" },
    });
    await make({ description: "Unrelated" });
    const q = (text: string, actor: Actor = acme.member.actor) => find(actor, { q: text });
    expect(await q("wed")).toEqual([cake]);
    expect(await q("TIERS cak")).toEqual([cake]);
    expect(await q("inv 77")).toEqual([cake]);
    expect(await q("strasse ångs")).toEqual([desk]);
    expect(await q("lovel")).toEqual([desk]);
    expect(await q("zoe.l@shop")).toEqual([desk]);
    expect(await q("edding")).toEqual([]);
    expect(await q("wedding lovelace")).toEqual([]);
    expect(await q("wed", acme.other.actor)).toEqual([]);
    expect(await q("wed", other.admin.actor)).toEqual([]);
    expect(await q("wed", acme.admin.actor)).toEqual([cake]);
  });

  it("finds an amount with decimals in every currency, however it is written, and what has it as words", async () => {
    const [euros, dinars] = [await make({ amount: 1250 }), await make({ amount: 12500, currency: "KWD" })];
    await make({ amount: 12500 });
    const yen = await make({ amount: 1250, currency: "JPY" });
    const named = await make({ description: "Part 12.50 of the works" });
    const dear = await make({ amount: 123450 });
    const q = (text: string, actor: Actor = acme.member.actor) => find(actor, { q: text });
    for (const text of ["12.50", "12,50", "12.5"]) {
      expect([text, await q(text)]).toEqual([text, [named, dinars, euros]]);
    }
    for (const text of ["1234.50", "1,234.50", "1.234,50", "1 234,50"])
      expect([text, await q(text)]).toEqual([text, [dear]]);
    expect(await q("1250")).toEqual([]);
    for (const text of ["€12.50", "12,50 €"]) expect([text, await q(text)]).toEqual([text, [named, euros]]);
    expect(await q("$12.50")).toEqual([named]);
    for (const text of ["12.50 EUR", "EUR 12.50", "12,50 eur"]) {
      expect([text, await q(text)]).toEqual([text, [euros]]);
    }
    for (const text of ["KWD 12.500", "12,500 KWD", "12.5 KWD"])
      expect([text, await q(text)]).toEqual([text, [dinars]]);
    for (const text of ["1250 JPY", "¥1,250", "1.250 ¥", "1 250", "￥1250"]) {
      expect([text, await q(text)]).toEqual([text, [yen]]);
    }
    for (const text of ["12.50 USD", "−12.50 EUR", "12 50 EUR", "EUR"])
      expect([text, await q(text)]).toEqual([text, []]);
    expect(await q("12.50", acme.admin.actor)).toEqual([named, dinars, euros]);
    expect(await q("12.50", other.admin.actor)).toEqual([]);
    expect(await find(acme.member.actor, { q: "12.50", currency: "KWD" })).toEqual([dinars]);
    expect((await counts(acme.member.actor, { q: "12.50" })).open).toBe(3);
  });

  it("finds a reference, composed or decomposed", async () => {
    const id = await make({ reference: "Re\u0301f 7" });
    for (const reference of ["Réf 7", "Re\u0301f 7"]) {
      expect(await find(acme.member.actor, { reference })).toEqual([id]);
      expect(await refusalOf(make({ reference }))).toBe("duplicate_reference");
    }
  });

  it("finds an id only among the payment requests that match the other filters", async () => {
    const customer = { email: "ada@example.com" };
    const [hers, his] = [await make({ customer }), await make()];
    for (const { actor } of [acme.member, acme.admin]) {
      expect(await find(actor, { q: hers, customer_email: customer.email })).toEqual([hers]);
      expect(await find(actor, { q: his, customer_email: customer.email })).toEqual([]);
    }
  });

  it("finds a full id exactly, its own or one of its transactions'", async () => {
    const { payment, token } = await ask(world, acme.member.actor);
    await make({ description: payment.payment_id });
    await payWith(world, token);
    const { transaction_ids } = await world.call(getPayment, acme.member.actor, { payment_id: payment.payment_id });
    for (const id of [payment.payment_id, ...transaction_ids]) {
      expect(await find(acme.member.actor, { q: ` ${id} ` })).toEqual([payment.payment_id]);
      expect(await find(acme.other.actor, { q: id })).toEqual([]);
      expect(await find(other.admin.actor, { q: id })).toEqual([]);
    }
  });

  it("combines with other filters, also across pages", async () => {
    const wanted = [await make({ description: "Lesson" }), await make({ description: "Lesson" })];
    await make({ description: "Lesson", currency: "USD" });
    await make({ description: "Book" });
    const query = { q: "less", currency: "EUR", limit: 1, include_total: true } as const;
    const first = await world.call(listPaymentRequests, acme.member.actor, query);
    expect([first.data[0]?.payment_id, first.total_count]).toEqual([wanted[1], 2]);
    const cursor = first.next_cursor ?? undefined;
    expect(await find(acme.member.actor, { ...query, cursor })).toEqual([wanted[0]]);
    expect(await refusalOf(find(acme.member.actor, { ...query, q: "book", cursor }))).toBe("invalid_cursor");
    expect(await refusalOf(find(acme.member.actor, { q: "--" }))).toBe("invalid_request");
    expect(await refusalOf(find(acme.member.actor, { q: "x".repeat(101) }))).toBe("invalid_request");
  });
});

describe("the counts", () => {
  const noTab = { drafts: 0, open: 0, links: 0, to_capture: 0, paid: 0, expired: 0, canceled: 0 };

  it("put every status into one tab", () => {
    expect(Object.values(tabs).flat().sort()).toEqual([...paymentStatuses].sort());
  });

  it("use the statuses of the current time, like the list", async () => {
    const nothing = { ...noTab, all: 0, overdue: 0, estimates: [] };
    expect(await counts(acme.member.actor)).toEqual(nothing);
    const inOneDay = new Date(world.clock.now() + 86_400_000).toISOString();
    await make({ expires_at: inOneDay });
    const due_at = inOneDay;
    await make({ type: "invoice", due_at });
    await make({ type: "invoice", due_at, expires_at: inOneDay });
    await world.call(cancelPayment, acme.member.actor, { payment_id: await make() });
    const paid = await ask(world, acme.member.actor);
    await payWith(world, paid.token);
    const held = await ask(world, acme.member.actor, { capture_method: "manual" });
    await payWith(world, held.token);
    const lost = await ask(world, acme.other.actor);
    await declineForGood(world, lost.token);

    const mine = { ...nothing, open: 3, to_capture: 1, paid: 1, canceled: 1, all: 6 };
    expect(await counts(acme.member.actor)).toEqual(mine);
    const before = await counts(acme.admin.actor);
    expect(before.all).toBe(7);
    expect(await counts(other.admin.actor)).toEqual(nothing);

    world.clock.advance(Date.parse(inOneDay) - world.clock.now());
    // At its due date, an invoice is not overdue yet.
    expect(await counts(acme.member.actor)).toEqual({ ...mine, open: 1, expired: 2 });
    world.clock.advance(1);
    expect(await counts(acme.member.actor)).toEqual({ ...mine, open: 1, expired: 2, overdue: 1 });
    expect(await counts(acme.member.actor, { overdue: false })).toMatchObject({ open: 0, overdue: 1 });
    // The authorization has lapsed too, and neither is recorded yet.
    world.clock.advance(7 * 86_400_000);
    const late = { ...mine, open: 1, to_capture: 0, expired: 3, overdue: 1 };
    expect(await counts(acme.member.actor)).toEqual(late);
    for (const [tab, status] of Object.entries(tabs)) {
      const page = await world.call(listPaymentRequests, acme.member.actor, {
        status: [...status],
        include_total: true,
      });
      expect([tab, page.total_count]).toEqual([tab, late[tab as keyof typeof late]]);
    }
    while ((await runJobsOnce(world)) > 0) world.clock.advance(1);
    expect(await counts(acme.member.actor)).toEqual(late);
  });

  it("accept the list's filters, and reject an unknown account like the list", async () => {
    await make({ description: "Lesson", currency: "USD", customer: { email: "Grace@Example.com" } });
    await make({ description: "Book" });
    const all = async (query: object) => (await counts(acme.member.actor, query)).all;
    expect(await all({})).toBe(2);
    expect(await all({ currency: "usd" })).toBe(1);
    expect(await all({ q: "boo" })).toBe(1);
    expect(await all({ customer_email: "grace@example.com" })).toBe(1);
    expect(await all({ type: ["invoice"] })).toBe(0);
    expect(await all({ account_id: acme.member.accountId })).toBe(2);
    expect(await refusalOf(counts(acme.member.actor, { account_id: acme.other.accountId }))).toBe("account_not_found");
    expect(await refusalOf(counts(acme.member.actor, { status: ["paid"] }))).toBe("invalid_request");
  });
});

describe("a member of several accounts", () => {
  it("finds and counts the payment requests of all of them", async () => {
    const second = await world.user(acme.id);
    await world.runtime.db.write(async (tx) => {
      await tx.update(accounts).set({ ownerUserId: acme.member.id }).where(eq(accounts.id, second.accountId));
    });
    const ids = [
      await make({ account_id: acme.member.accountId, description: "Lesson" }),
      await make({ account_id: second.accountId, description: "Lesson" }),
    ];
    expect(await find(acme.member.actor, { q: "lesson" })).toEqual(ids.toReversed());
    expect((await counts(acme.member.actor)).all).toBe(2);
    expect(await world.runtime.db.read.$count(payments, eq(payments.accountId, second.accountId))).toBe(1);
  });
});
