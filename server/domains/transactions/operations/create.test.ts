// Creating transactions: the money that each type moves, and every error.

import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accounts, events, journals, organizations, transactions } from "@/db/tables";
import type { Actor } from "@/server/kit/context";
import { Failure } from "@/server/kit/errors";
import { statusOf } from "@/test/merchant";
import { balancesOf, type CreateInput, create, earn } from "@/test/money";
import { ask, payWith } from "@/test/payer";
import { openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";

let world: World;
let org: TestOrganization;
let elsewhere: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  elsewhere = await world.organization();
});
beforeEach(async () => {
  org = await world.organization();
});
afterAll(() => world.close());

const by = ({ actor }: TestUser, input: CreateInput) => create(world, actor, input);
const refused = (user: TestUser, input: CreateInput) => refusalOf(by(user, input));
const platform = (accountId: string | null = null): Actor => ({
  type: "api_key",
  keyId: world.id("key"),
  organizationId: org.id,
  scopes: ["transactions:write"],
  accountId,
});

async function eventsOf(objectId: string): Promise<string[]> {
  const rows = await world.runtime.db.read.select().from(events).where(eq(events.objectId, objectId));
  return rows.sort((a, b) => a.sequence - b.sequence).map((row) => row.type);
}

const close = (accountId: string) =>
  world.runtime.db.write(async (tx) => {
    await tx.update(accounts).set({ status: "closed", closedAt: 1 }).where(eq(accounts.id, accountId));
  });

const goLive = (membersRecordPayments: boolean) =>
  world.runtime.db.write(async (tx) => {
    await tx.update(organizations).set({ mode: "live", membersRecordPayments }).where(eq(organizations.id, org.id));
  });

/** The fields that all types accept. */
const extras = {
  reference: "INV-1042",
  description: "March",
  customer: { name: "Ada", email: "Ada@Example.com", reference: "C-1", metadata: { tier: "gold" } },
  metadata: { order: "A-1" },
  effective_at: "2026-03-01T00:00:00+02:00",
};

describe("200: payment", () => {
  it("is posted at once and carries every field", async () => {
    const row = await by(org.member, { type: "payment", amount: 1250, currency: "eur", ...extras });
    expect(row).toEqual({
      transaction_id: expect.stringMatching(/^txn_[0-9a-hjkmnp-tv-z]{26}$/),
      account_id: org.member.accountId,
      type: "payment",
      status: "succeeded",
      direction: "in",
      amount: 1250,
      currency: "EUR",
      fee_amount: 0,
      net_amount: 1250,
      amount_captured: 1250,
      amount_refunded: 0,
      amount_disputed: 0,
      amount_credited: 0,
      amount_credit_spent: 0,
      customer_id: expect.stringMatching(/^cus_/),
      payment_id: null,
      parent_transaction_id: null,
      destination_account_id: null,
      payment_method: null,
      provider: null,
      provider_reference: null,
      failure: null,
      reason: null,
      ...extras,
      effective_at: "2026-02-28T22:00:00.000Z",
      livemode: false,
      created_at: "2026-11-20T12:00:00.000Z",
      updated_at: "2026-11-20T12:00:00.000Z",
      settled_at: "2026-11-20T12:00:00.000Z",
    });
    expect(await balancesOf(world, org.member.accountId)).toEqual({ available: 1250 });
    expect(await balancesOf(world, org.id)).toEqual({ bank: 1250 });
    expect(await eventsOf(row.transaction_id)).toEqual(["transaction.created", "transaction.succeeded"]);
  });

  it("says how the money arrived, and why it was recorded", async () => {
    const received = { method: "bank_transfer", reason: "Found on the statement" } as const;
    const row = await by(org.member, { type: "payment", amount: 1250, currency: "EUR", ...received });
    const noCard = { brand: null, last4: null, exp_month: null, exp_year: null };
    expect(row).toMatchObject({ payment_method: { type: "bank_transfer", ...noCard }, reason: received.reason });
    const wrong = { type: "payment", amount: 1250, currency: "EUR", method: "barter" } as never;
    expect(await refused(org.admin, wrong)).toBe("invalid_request");
  });

  it("counts towards a payment request, in parts too", async () => {
    const { payment } = await ask(world, org.member.actor, { amount: 1000 });
    const pay = (amount: number) =>
      by(org.admin, { type: "payment", payment_id: payment.payment_id, amount, currency: "EUR" });
    const state = () => statusOf(world, org.member.actor, payment.payment_id);
    expect(await pay(400)).toMatchObject({ account_id: org.member.accountId, payment_id: payment.payment_id });
    expect(await state()).toMatchObject({ status: "partially_paid", amount_paid: 400, amount_due: 600 });
    await pay(600);
    expect(await state()).toMatchObject({ status: "paid", amount_paid: 1000, amount_due: 0 });
  });

  it("can be recorded by a platform key for a named account, and by a member in live mode if allowed", async () => {
    await goLive(true);
    const input = { type: "payment", amount: 5, currency: "JPY", account_id: org.member.accountId } as const;
    expect(await create(world, platform(), input)).toMatchObject({ livemode: true, amount: 5 });
    expect(await by(org.member, input)).toMatchObject({ livemode: true });
  });

  it("accepts null for optional fields", async () => {
    const nothing = { account_id: null, reference: null, description: null, customer: null, metadata: null };
    const input = { type: "payment", amount: 1, currency: "EUR", payment_id: null, effective_at: null } as const;
    const row = await by(org.member, { ...input, ...nothing });
    expect(row).toMatchObject({ reference: null, customer: null, metadata: {}, effective_at: row.created_at });
  });
});

describe("200: credit, transfer, adjustment", () => {
  it("a credit is goodwill of the organization", async () => {
    const account_id = org.member.accountId;
    const row = await by(org.admin, { type: "credit", account_id, amount: 300, currency: "EUR", ...extras });
    expect(row).toMatchObject({ type: "credit", status: "succeeded", direction: "in", net_amount: 300, account_id });
    expect(await balancesOf(world, account_id)).toEqual({ available: 300 });
    expect(await balancesOf(world, org.id)).toEqual({ "expense:goodwill": 300 });
    expect(await eventsOf(row.transaction_id)).toEqual(["transaction.created", "transaction.succeeded"]);
  });

  it("a transfer moves money to any open account of the organization, regardless of its owner", async () => {
    await earn(world, org.member, 500);
    const destination_account_id = org.other.accountId;
    const row = await by(org.member, { type: "transfer", destination_account_id, amount: 200, currency: "EUR" });
    expect(row).toMatchObject({ status: "succeeded", direction: "out", net_amount: -200, destination_account_id });
    expect(await balancesOf(world, org.member.accountId)).toEqual({ available: 300 });
    expect(await balancesOf(world, destination_account_id)).toEqual({ available: 200 });
    expect(await eventsOf(row.transaction_id)).toEqual(["transfer.created"]);
  });

  it.each([
    ["in", { available: 550 }, { bank: 500, "suspense:adjust": -50 }],
    ["out", { available: 450 }, { bank: 500, "suspense:adjust": 50 }],
  ] as const)("an adjustment %s corrects the balance against the suspense account", async (direction, own, others) => {
    await earn(world, org.member, 500);
    const account_id = org.member.accountId;
    const input = {
      type: "adjustment",
      account_id,
      direction,
      reason: "correction",
      amount: 50,
      currency: "EUR",
    } as const;
    const row = await by(org.admin, input);
    expect(row).toMatchObject({ direction, reason: "correction", net_amount: direction === "in" ? 50 : -50 });
    expect(await balancesOf(world, account_id)).toEqual(own);
    expect(await balancesOf(world, org.id)).toEqual(others);
    expect(await eventsOf(row.transaction_id)).toEqual(["adjustment.created"]);
  });

  it("an admin can transfer or adjust the money that is left on a closed account", async () => {
    await earn(world, org.member, 500);
    const account_id = org.member.accountId;
    await close(account_id);
    const money = { account_id, amount: 200, currency: "EUR" };
    await by(org.admin, { type: "transfer", destination_account_id: org.other.accountId, ...money });
    await by(org.admin, { type: "adjustment", direction: "out", reason: "write_off", ...money });
    expect(await balancesOf(world, account_id)).toEqual({ available: 100 });
  });
});

describe("200: one key, one effect", () => {
  it("repeats the answer to a repeated request and posts nothing", async () => {
    const input = { type: "payment", amount: 100, currency: "EUR", reference: "once" } as const;
    const request = { idempotencyKey: "k-1" };
    const first = await create(world, org.member.actor, input, request);
    const answerHeaders: Record<string, string> = {};
    expect(await create(world, org.member.actor, input, { ...request, answerHeaders })).toEqual(first);
    expect(answerHeaders["Idempotent-Replayed"]).toBe("true");
    expect(await balancesOf(world, org.member.accountId)).toEqual({ available: 100 });
  });

  it("rolls back a failed call and keeps its error as the key's answer", async () => {
    const input = {
      type: "transfer",
      destination_account_id: org.other.accountId,
      amount: 1,
      currency: "EUR",
    } as const;
    const request = { idempotencyKey: "k-2" };
    expect(await refusalOf(create(world, org.member.actor, input, request))).toBe("insufficient_balance");
    await earn(world, org.member, 10);
    expect(await refusalOf(create(world, org.member.actor, input, request))).toBe("insufficient_balance");
    const rows = await world.runtime.db.read.select().from(transactions).where(eq(transactions.organizationId, org.id));
    expect(rows).toHaveLength(1);
  });
});

describe("400: fields", () => {
  const faulty: [fault: string, names: RegExp, input: unknown][] = [
    ["no type", /^type: /, { amount: 1, currency: "EUR" }],
    ["an unknown type", /^type: /, { type: "gift", amount: 1, currency: "EUR" }],
    ["an amount of zero", /^amount: must be a positive integer$/, { type: "payment", amount: 0, currency: "EUR" }],
    ["a fraction", /^amount: /, { type: "payment", amount: 1.5, currency: "EUR" }],
    ["an amount as text", /^amount: /, { type: "payment", amount: "1", currency: "EUR" }],
    ["thirteen digits", /^amount: /, { type: "payment", amount: 1_000_000_000_000, currency: "EUR" }],
    ["no amount", /^amount: /, { type: "payment", currency: "EUR" }],
    ["an unknown currency", /^currency: unknown currency "XXQ"$/, { type: "payment", amount: 1, currency: "XXQ" }],
    ["several at once", /amount: .*; currency: /, { type: "credit", amount: -1, currency: "E" }],
    ["an unknown reason", /^reason: /, { type: "refund", parent_transaction_id: "x", reason: "whim" }],
    ["no direction", /^direction: /, { type: "adjustment", reason: "other", amount: 1, currency: "EUR" }],
    ["no reason", /^reason: /, { type: "adjustment", direction: "in", amount: 1, currency: "EUR" }],
    [
      "a date of another century",
      /^effective_at: /,
      { type: "payment", amount: 1, currency: "EUR", effective_at: "1926-11-01T00:00:00Z" },
    ],
    [
      "a date years ahead",
      /^effective_at: /,
      { type: "payment", amount: 1, currency: "EUR", effective_at: "2031-11-01T00:00:00Z" },
    ],
    ["a bad date", /^effective_at: /, { type: "payment", amount: 1, currency: "EUR", effective_at: "yesterday" }],
    ["a bad key", /^metadata/, { type: "payment", amount: 1, currency: "EUR", metadata: { "a b": "c" } }],
    ["a long reference", /^reference: /, { type: "payment", amount: 1, currency: "EUR", reference: "x".repeat(81) }],
    ["a bad e-mail", /^customer\.email: /, { type: "payment", amount: 1, currency: "EUR", customer: { email: "x" } }],
    [
      "an unknown field",
      /^amount_paid: unknown field$/,
      { type: "payment", amount: 1, currency: "EUR", amount_paid: 1 },
    ],
    ["__proto__", /^__proto__: /, JSON.parse('{"type":"payment","amount":1,"currency":"EUR","__proto__":{}}')],
  ];
  const ofOtherTypes: [type: string, field: string][] = [
    ["payment", "parent_transaction_id"],
    ["payment", "destination_account_id"],
    ["payment", "direction"],
    ["credit", "method"],
    ["refund", "method"],
    ["credit", "payment_id"],
    ["credit", "reason"],
    ["refund", "payment_id"],
    ["refund", "destination_account_id"],
    ["refund", "direction"],
    ["transfer", "payment_id"],
    ["transfer", "parent_transaction_id"],
    ["transfer", "reason"],
    ["adjustment", "payment_id"],
    ["adjustment", "destination_account_id"],
  ];

  const failure = (input: unknown) =>
    by(org.admin, input as CreateInput).then(
      () => Promise.reject(new Error("The call was not refused.")),
      (error: unknown) => (error instanceof Failure ? error : Promise.reject(error)),
    );

  it.each(faulty)("rejects %s and names the field", async (_fault, names, input) => {
    const { code, message } = await failure(input);
    expect(code).toBe("invalid_request");
    expect(message).toMatch(names);
  });

  it.each(ofOtherTypes)("a %s does not accept %s", async (type, field) => {
    const own = {
      refund: { parent_transaction_id: "x" },
      transfer: { destination_account_id: "x" },
      adjustment: { direction: "in", reason: "other" },
    }[type];
    const { code, message } = await failure({ type, amount: 1, currency: "EUR", ...own, [field]: "in" });
    expect([code, message]).toEqual(["invalid_request", `${field}: unknown field`]);
  });
});

describe("400: permissions", () => {
  const credit = { type: "credit", amount: 1, currency: "EUR" } as const;
  const adjustment = { type: "adjustment", direction: "in", reason: "other", amount: 1, currency: "EUR" } as const;
  const payment = { type: "payment", amount: 1, currency: "EUR" } as const;

  it("members create no credits or adjustments, not even for themselves", async () => {
    expect(await refused(org.member, credit)).toBe("insufficient_permissions");
    expect(await refused(org.member, adjustment)).toBe("insufficient_permissions");
  });

  it("members record no payments in live mode unless their organization allows it", async () => {
    await goLive(false);
    expect(await refused(org.member, payment)).toBe("insufficient_permissions");
    expect(await by(org.admin, payment)).toMatchObject({ status: "succeeded" });
  });

  it("another organization's account gets the same answer as a missing one, for every type", async () => {
    const unknown = [world.id("acct"), elsewhere.member.accountId, "nonsense", org.other.accountId];
    for (const account_id of unknown) {
      expect(await refused(org.member, { ...payment, account_id })).toBe("account_not_found");
      const destination_account_id = org.other.accountId;
      const transfer = { type: "transfer", account_id, destination_account_id, amount: 1, currency: "EUR" } as const;
      expect(await refused(org.member, transfer)).toBe("account_not_found");
    }
    for (const account_id of unknown.slice(0, 3)) {
      expect(await refused(org.admin, { ...credit, account_id })).toBe("account_not_found");
      expect(await refused(org.admin, { ...adjustment, account_id })).toBe("account_not_found");
    }
  });

  it("an organization's API key must name the account, and a bound key sees only its own", async () => {
    expect(await refusalOf(create(world, platform(), payment))).toBe("invalid_request");
    const foreign = { ...payment, account_id: org.other.accountId };
    expect(await refusalOf(create(world, platform(org.member.accountId), foreign))).toBe("account_not_found");
  });

  it("a caller with several accounts acts for the own one, and must name one without it", async () => {
    const owned = (account_id: string, ownerUserId: string | null) =>
      world.runtime.db.write(async (tx) => {
        await tx.update(accounts).set({ ownerUserId }).where(eq(accounts.id, account_id));
      });
    const [second, third] = [await world.user(org.id), await world.user(org.id)];
    await owned(second.accountId, org.member.id);
    await owned(third.accountId, org.member.id);
    expect(await by(org.member, payment)).toMatchObject({ account_id: org.member.accountId });
    expect(await by(org.member, { ...payment, account_id: second.accountId })).toMatchObject({ status: "succeeded" });
    await owned(org.member.accountId, null);
    expect(await refused(org.member, payment)).toBe("invalid_request");
    await owned(third.accountId, null);
    expect(await by(org.member, payment)).toMatchObject({ account_id: second.accountId });
  });
});

describe("400: state", () => {
  const payment = { type: "payment", amount: 100, currency: "EUR" } as const;

  it("no money moves to a closed account, and its owner cannot move any out of it", async () => {
    await earn(world, org.member, 500);
    const account_id = org.member.accountId;
    await close(account_id);
    const money = { account_id, amount: 1, currency: "EUR" };
    expect(await refused(org.admin, { type: "payment", ...money })).toBe("account_closed");
    expect(await refused(org.admin, { type: "credit", ...money })).toBe("account_closed");
    const adjustment = { type: "adjustment", direction: "in", reason: "other", ...money } as const;
    expect(await refused(org.admin, adjustment)).toBe("account_closed");
    const away = { type: "transfer", destination_account_id: org.other.accountId, ...money } as const;
    expect(await refused(org.member, away)).toBe("account_closed");
    expect(await refusalOf(create(world, platform(), away))).toBe("account_closed");
    const towards = { type: "transfer", destination_account_id: account_id, amount: 1, currency: "EUR" } as const;
    expect(await refused(org.other, towards)).toBe("account_closed");
    await expect(by(org.other, towards)).rejects.toThrow("destination_account_id: a closed account takes no money");
  });

  it("a transfer needs two accounts of one organization", async () => {
    const transfer = { type: "transfer", amount: 1, currency: "EUR" } as const;
    const to = (destination_account_id: string) => refused(org.member, { ...transfer, destination_account_id });
    expect(await to(org.member.accountId)).toBe("same_account_transfer");
    expect(await to(elsewhere.member.accountId)).toBe("account_not_found");
    expect(await to(world.id("acct"))).toBe("account_not_found");
  });

  it("no more is spent than is available in the currency", async () => {
    await earn(world, org.member, 100);
    const out = { type: "transfer", destination_account_id: org.other.accountId } as const;
    expect(await refused(org.member, { ...out, amount: 101, currency: "EUR" })).toBe("insufficient_balance");
    expect(await refused(org.member, { ...out, amount: 1, currency: "USD" })).toBe("insufficient_balance");
    const account_id = org.member.accountId;
    const adjustment = { type: "adjustment", account_id, direction: "out", reason: "other", currency: "EUR" } as const;
    expect(await refused(org.admin, { ...adjustment, amount: 101 })).toBe("insufficient_balance");
    expect(await balancesOf(world, account_id)).toEqual({ available: 100 });
  });

  it("a reference is unique within its account", async () => {
    await by(org.member, { ...payment, reference: "R-1" });
    expect(await refused(org.member, { ...payment, reference: "R-1" })).toBe("duplicate_reference");
    expect(await by(org.other, { ...payment, reference: "R-1" })).toMatchObject({ reference: "R-1" });
    expect(await balancesOf(world, org.member.accountId)).toEqual({ available: 100 });
  });

  it("a payment counts only toward a visible payment request in its account and currency, up to what is due", async () => {
    const { payment: request } = await ask(world, org.member.actor, { amount: 1000 });
    const payment_id = request.payment_id;
    const foreign = (await ask(world, elsewhere.member.actor)).payment.payment_id;
    for (const id of [world.id("pay"), foreign, "nonsense"]) {
      expect(await refused(org.admin, { ...payment, payment_id: id })).toBe("payment_not_found");
    }
    expect(await refused(org.other, { ...payment, payment_id })).toBe("payment_not_found");
    const account_id = org.other.accountId;
    expect(await refused(org.admin, { ...payment, account_id, payment_id })).toBe("payment_not_found");
    expect(await refused(org.admin, { ...payment, currency: "USD", payment_id })).toBe("currency_mismatch");
    expect(await refused(org.admin, { ...payment, amount: 1001, payment_id })).toBe("amount_too_large");
    await by(org.admin, { ...payment, amount: 1000, payment_id });
    expect(await refused(org.admin, { ...payment, payment_id })).toBe("payment_already_paid");
  });

  it("the rest of a payment request that was paid in part and partly refunded can be paid", async () => {
    const { payment_id } = (await ask(world, org.member.actor, { amount: 1000 })).payment;
    const part = await by(org.admin, { ...payment, amount: 400, payment_id });
    await by(org.admin, { type: "refund", parent_transaction_id: part.transaction_id, amount: 100 });
    expect(await refused(org.admin, { ...payment, amount: 601, payment_id })).toBe("amount_too_large");
    await by(org.admin, { ...payment, amount: 600, payment_id });
    expect(await refused(org.admin, { ...payment, amount: 1, payment_id })).toBe("payment_already_paid");
  });

  it("a payment does not count towards a payment request that has ended or has an attempt in progress", async () => {
    const { payment: request } = await ask(world, org.member.actor);
    const soon = new Date(world.clock.now() + 600_000).toISOString();
    const expiring = (await ask(world, org.member.actor, { expires_at: soon })).payment.payment_id;
    const held = await ask(world, org.member.actor, { capture_method: "manual" });
    await payWith(world, held.token);
    expect(await refused(org.member, { ...payment, payment_id: held.payment.payment_id })).toBe("payment_processing");
    world.clock.advance(600_000);
    expect(await refused(org.member, { ...payment, payment_id: expiring })).toBe("payment_expired");
    expect(await by(org.member, { ...payment, payment_id: request.payment_id })).toMatchObject({ status: "succeeded" });
  });

  it("an error leaves no row, no journal and no event", async () => {
    const input = {
      type: "transfer",
      destination_account_id: org.other.accountId,
      amount: 1,
      currency: "EUR",
    } as const;
    await refused(org.member, input);
    const { read } = world.runtime.db;
    expect(await read.$count(transactions, eq(transactions.organizationId, org.id))).toBe(0);
    expect(await read.$count(journals, eq(journals.organizationId, org.id))).toBe(0);
    expect(await read.$count(events, eq(events.organizationId, org.id))).toBe(0);
  });
});
