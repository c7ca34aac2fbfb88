// Refunds: of offline payments at once, of a provider's payments through the provider.

import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accounts, events, sandboxOperations, transactions } from "@/db/tables";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import type { Actor } from "@/server/kit/context";
import { closeAccountOf } from "@/test/closing";
import { runJobs } from "@/test/jobs";
import { refundRequest, statusOf } from "@/test/merchant";
import {
  balancesOf,
  beginCharge,
  type CreateInput,
  create,
  earn,
  expectSoundLedger,
  journalEventsOf,
  rowOf,
  settleNow,
} from "@/test/money";
import { ask, card, goodCard, payWith, transactionsOf } from "@/test/payer";
import { openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";
import { lookUp } from "./look-up";
import { getTransaction } from "./operations/get";
import type { Transaction } from "./schema";

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

type Given = Omit<Extract<CreateInput, { type: "refund" }>, "type" | "parent_transaction_id">;
const refund = ({ actor }: TestUser, parent_transaction_id: string, given: Given = {}): Promise<Transaction> =>
  create(world, actor, { type: "refund", parent_transaction_id, ...given });
const get = (id: string) => world.call(getTransaction, org.admin.actor, { transaction_id: id });

/** A payment request that was paid with a card in the sandbox, and its transaction. */
async function paidByCard(amount = 1250, typed = goodCard) {
  const { payment, token } = await ask(world, org.member.actor, { amount });
  await payWith(world, token, typed);
  const [row] = await transactionsOf(world, payment.payment_id);
  if (!row) throw new Error("Nothing was paid.");
  const status = async () => (await statusOf(world, org.member.actor, payment.payment_id)).status;
  return { id: row.id, paymentId: payment.payment_id, status };
}

describe("200: of money that arrived after its account was closed", () => {
  /** The provider takes the money, its answer is lost, and the account is closed before the look-up. */
  async function paidLate() {
    const { payment, token } = await ask(world, org.member.actor);
    await payWith(world, token, { ...card(troubledCard), security_code: lostAnswerCode });
    await closeAccountOf(world, org.admin.actor, org.member.accountId);
    world.clock.advance(60_000);
    await runJobs(world);
    const [row] = await transactionsOf(world, payment.payment_id);
    expect(row).toMatchObject({ status: "succeeded", amountCaptured: 1250 });
    return { id: row?.id ?? "", payment_id: payment.payment_id };
  }

  it("is allowed to an admin, through the API and in the dashboard, like a transfer", async () => {
    const { id, payment_id } = await paidLate();
    expect(await refund(org.admin, id, { amount: 1000 })).toMatchObject({ status: "succeeded" });
    const dashboard = { ...org.admin.actor, sessionKind: "cookie" } as Actor;
    const rest = await refundRequest(world, dashboard, payment_id);
    expect(rest).toMatchObject({ status: "succeeded", amount: 250 });
    expect(await balancesOf(world, org.member.accountId)).toEqual({});
    expect(await get(id)).toMatchObject({ status: "refunded", amount_refunded: 1250 });
  });

  it("is not allowed to other callers", async () => {
    const { id, payment_id } = await paidLate();
    const key: Actor = {
      type: "api_key",
      keyId: world.id("key"),
      organizationId: org.id,
      scopes: ["transactions:write"],
      accountId: null,
    };
    const input = { type: "refund", parent_transaction_id: id, account_id: org.member.accountId } as const;
    for (const actor of [org.member.actor, key]) {
      expect(await refusalOf(create(world, actor, input))).toBe("account_closed");
      expect(await refusalOf(refundRequest(world, actor, payment_id))).toBe("account_closed");
    }
    expect(await refusalOf(create(world, org.other.actor, input))).toBe("transaction_not_found");
  });
});

describe("200: of an offline payment", () => {
  it("succeeds at once, in parts, until nothing is left", async () => {
    const { transaction_id: id } = await earn(world, org.member, 1000);
    const part = await refund(org.member, id, { amount: 300, reason: "duplicate", currency: "eur" });
    expect(part).toMatchObject({
      type: "refund",
      status: "succeeded",
      direction: "out",
      amount: 300,
      currency: "EUR",
      net_amount: -300,
      reason: "duplicate",
      parent_transaction_id: id,
      account_id: org.member.accountId,
      settled_at: part.created_at,
    });
    expect(await get(id)).toMatchObject({ status: "partially_refunded", amount_refunded: 300 });
    expect(await refund(org.member, id)).toMatchObject({ amount: 700 });
    expect(await get(id)).toMatchObject({ status: "refunded", amount_refunded: 1000 });
    expect(await balancesOf(world, org.member.accountId)).toEqual({});
    expect(await balancesOf(world, org.id)).toEqual({});
    expect(await journalEventsOf(world, part.transaction_id)).toEqual(["refund_created", "refund_succeeded"]);
    const told = await world.runtime.db.read.select().from(events).where(eq(events.objectId, part.transaction_id));
    expect(told.map((event) => event.type).sort()).toEqual(["refund.created", "refund.succeeded"]);
  });

  it("inherits the customer and the description, but neither metadata nor reference", async () => {
    const payment = await create(world, org.member.actor, {
      type: "payment",
      amount: 10,
      currency: "EUR",
      reference: "R",
      description: "D",
      metadata: { a: "1" },
      customer: { name: "Ada" },
    });
    const row = await refund(org.member, payment.transaction_id, { amount: 2, reference: "own" });
    expect(row).toMatchObject({ customer: payment.customer, metadata: {}, reference: "own", description: "D" });
    const said = await refund(org.member, payment.transaction_id, { amount: 1, description: "Stale bread" });
    expect(said).toMatchObject({ description: "Stale bread" });
  });

  it("updates its payment request", async () => {
    const { payment } = await ask(world, org.member.actor, { amount: 500 });
    const money = { amount: 500, currency: "EUR", payment_id: payment.payment_id };
    const { transaction_id: id } = await create(world, org.admin.actor, { type: "payment", ...money });
    expect(await refund(org.admin, id, { amount: 1 })).toMatchObject({ payment_id: payment.payment_id });
    const state = () => statusOf(world, org.admin.actor, payment.payment_id);
    expect(await state()).toMatchObject({ status: "partially_refunded", amount_refunded: 1 });
    await refund(org.admin, id);
    expect(await state()).toMatchObject({ status: "refunded", amount_refunded: 500, amount_due: 0 });
  });
});

describe("200: of a provider's payment", () => {
  it("goes through the provider that took it", async () => {
    const { id, paymentId, status } = await paidByCard();
    expect(await balancesOf(world, org.id)).toEqual({ "provider:sandbox:clearing": 1250 });
    const row = await refund(org.member, id, { amount: 250 });
    expect(row).toMatchObject({ status: "succeeded", provider: "sandbox", payment_id: paymentId });
    expect(row.provider_reference).toMatch(/^sandbox_refund_/);
    expect(await status()).toBe("partially_refunded");
    expect(await balancesOf(world, org.member.accountId)).toEqual({ available: 1000 });
    expect(await balancesOf(world, org.id)).toEqual({ "provider:sandbox:clearing": 1000 });
    await refund(org.member, id);
    expect(await status()).toBe("refunded");
  });

  it("that the provider refuses returns the reserve to the account", async () => {
    const charge = await beginCharge(world, org.member);
    const result = {
      kind: "charge",
      reference: "unknown-to-the-sandbox",
      actionUrl: null,
      method: null,
      failure: null,
    } as const;
    await settleNow(world, charge.id, { ...result, status: "succeeded", amountCaptured: 1000 });
    const row = await refund(org.member, charge.id);
    expect(row).toMatchObject({ status: "failed", failure: { code: "charge_not_found" } });
    expect(await balancesOf(world, org.member.accountId)).toEqual({ available: 1000 });
    expect(await rowOf(world, charge.id)).toMatchObject({ amountRefunding: 0, amountRefunded: 0, status: "succeeded" });
  });

  it("stays pending, its money reserved, until the provider can be reached", async () => {
    const { id } = await paidByCard(400);
    const provider = { name: "sandbox" };
    await world.runtime.db.write(async (tx) => {
      await tx.update(transactions).set({ provider: "nowhere" }).where(eq(transactions.id, id));
    });
    const row = await refund(org.member, id, { amount: 150 });
    expect(row).toMatchObject({ status: "pending", settled_at: null });
    expect(await balancesOf(world, org.member.accountId)).toEqual({ available: 250, refund_pending: 150 });
    expect(await rowOf(world, id)).toMatchObject({ amountRefunding: 150, amountRefunded: 0 });
    await world.runtime.db.write(async (tx) => {
      await tx.update(transactions).set({ provider: provider.name }).where(eq(transactions.organizationId, org.id));
    });
    world.clock.advance(10 * 60_000);
    await runJobs(world);
    expect(await get(row.transaction_id)).toMatchObject({ status: "succeeded" });
    expect(await balancesOf(world, org.member.accountId)).toEqual({ available: 250 });
  });

  it("that its provider reported as pending and then forgot is not requested again", async () => {
    const { id } = await paidByCard(1250, card("4000000000007726"));
    const { transaction_id, ...row } = await refund(org.member, id, { amount: 250 });
    expect(row).toMatchObject({ status: "pending", provider_reference: expect.stringMatching(/^sandbox_refund_/) });
    const isIts = eq(sandboxOperations.idempotencyKey, transaction_id);
    await world.runtime.db.write(async (tx) => void (await tx.delete(sandboxOperations).where(isIts)));
    await expect(lookUp(world.runtime, transaction_id)).rejects.toThrow("forgotten");
    expect(await world.runtime.db.read.$count(sandboxOperations, isIts)).toBe(0);
    expect((await get(transaction_id)).status).toBe("pending");
  });

  it("requested again with the same key is the same refund", async () => {
    const { id } = await paidByCard();
    const ask = { type: "refund", parent_transaction_id: id, amount: 100 } as const;
    const first = await create(world, org.member.actor, ask, { idempotencyKey: "r" });
    expect(await create(world, org.member.actor, ask, { idempotencyKey: "r" })).toEqual(first);
    expect(await rowOf(world, id)).toMatchObject({ amountRefunded: 100, amountRefunding: 0 });
  });
});

describe("400", () => {
  const refused = (...call: Parameters<typeof refund>) => refusalOf(refund(...call));

  it("transaction_not_found for a transaction that the caller does not see", async () => {
    const { transaction_id: id } = await earn(world, org.member, 10);
    const stranger = (await world.organization()).admin;
    expect(await refused(org.other, id)).toBe("transaction_not_found");
    expect(await refused(stranger, id)).toBe("transaction_not_found");
    expect(await refused(org.admin, world.id("txn"))).toBe("transaction_not_found");
    expect(await refused(org.admin, "nonsense")).toBe("transaction_not_found");
    expect(await refused(org.admin, id, { account_id: org.other.accountId })).toBe("transaction_not_found");
  });

  it("for more than is left, and for any amount when nothing is left", async () => {
    const { transaction_id: id } = await earn(world, org.member, 100);
    expect(await refused(org.member, id, { amount: 101 })).toBe("refund_exceeds_captured");
    await refund(org.member, id, { amount: 40 });
    expect(await refused(org.member, id, { amount: 61 })).toBe("refund_exceeds_captured");
    await refund(org.member, id);
    expect(await refused(org.member, id)).toBe("refund_exceeds_captured");
    expect(await refused(org.member, id, { amount: 1 })).toBe("refund_exceeds_captured");
  });

  it("for anything but a payment with captured money", async () => {
    const account_id = org.member.accountId;
    const money = { account_id, amount: 100, currency: "EUR" };
    const credit = await create(world, org.admin.actor, { type: "credit", ...money });
    expect(await refused(org.admin, credit.transaction_id)).toBe("refund_exceeds_captured");
    const open = await beginCharge(world, org.member);
    expect(await refused(org.member, open.id)).toBe("refund_exceeds_captured");
    const to = { destination_account_id: org.other.accountId };
    const transfer = await create(world, org.member.actor, { type: "transfer", ...money, ...to });
    expect(await refused(org.member, transfer.transaction_id)).toBe("refund_exceeds_captured");
    expect(await refused(org.other, transfer.transaction_id)).toBe("insufficient_permissions");
  });

  it("for another currency, a used reference, a closed account or spent money", async () => {
    const { transaction_id: id } = await earn(world, org.member, 100);
    expect(await refused(org.member, id, { currency: "USD" })).toBe("currency_mismatch");
    await refund(org.member, id, { amount: 1, reference: "R" });
    expect(await refused(org.member, id, { amount: 1, reference: "R" })).toBe("duplicate_reference");
    const destination_account_id = org.other.accountId;
    await create(world, org.member.actor, { type: "transfer", destination_account_id, amount: 50, currency: "EUR" });
    expect(await refused(org.member, id)).toBe("insufficient_balance");
    expect(await rowOf(world, id)).toMatchObject({ amountRefunded: 1, amountRefunding: 0 });
    expect(await refund(org.member, id, { amount: 49 })).toMatchObject({ status: "succeeded" });
    await world.runtime.db.write(async (tx) => {
      await tx.update(accounts).set({ status: "closed", closedAt: 1 }).where(eq(accounts.id, org.member.accountId));
    });
    expect(await refused(org.member, id, { amount: 1 })).toBe("account_closed");
    expect(await refused(org.admin, id, { amount: 1 })).toBe("insufficient_balance");
  });
});
