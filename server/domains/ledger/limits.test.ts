// Nobody can fill a balance that others need, neither the organization's ledger accounts nor another member's.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ledgerAccounts } from "@/db/tables";
import { limits } from "@/server/kit/limits";
import { captureRequest } from "@/test/merchant";
import { balancesOf, beginCharge, create, earn, expectSoundLedger, settleNow } from "@/test/money";
import { ask, payWith, transactionsOf } from "@/test/payer";
import { openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  acme = await world.organization();
});
afterAll(() => world.close());

const largest = limits.amount;

/** Fills every balance that the member's payments can reach, as 4,500 of the largest payments would. */
async function fill({ actor, accountId }: TestUser): Promise<void> {
  await earn(world, { actor, accountId } as TestUser, 1);
  const { token } = await ask(world, actor, { amount: 1 });
  await payWith(world, token);
  await world.runtime.db.write(async (tx) => {
    for (const account of [eq(ledgerAccounts.accountId, accountId), eq(ledgerAccounts.forAccountId, accountId)]) {
      await tx
        .update(ledgerAccounts)
        .set({ balance: limits.balance.byRequest - largest + 1 })
        .where(account);
    }
  });
}

describe("a member who fills its own balances", () => {
  it("is refused, offline and by card, before the provider is called", async () => {
    await fill(acme.member);
    expect(await refusalOf(earn(world, acme.member, largest))).toBe("balance_limit_exceeded");
    const { payment, token } = await ask(world, acme.member.actor, { amount: largest });
    expect(await refusalOf(payWith(world, token))).toBe("payment_not_payable");
    expect(await transactionsOf(world, payment.payment_id)).toEqual([]);
  });

  it("does not affect other members, offline or by card", async () => {
    await fill(acme.member);
    await earn(world, acme.other, largest);
    const { payment, token } = await ask(world, acme.other.actor, { amount: largest });
    await payWith(world, token);
    expect(await transactionsOf(world, payment.payment_id)).toMatchObject([{ status: "succeeded" }]);
    expect(await balancesOf(world, acme.other.accountId)).toEqual({ available: 2 * largest });
  });

  it("cannot fill another's with transfers", async () => {
    await earn(world, acme.member, largest);
    await earn(world, acme.other, 1);
    await world.runtime.db.write(async (tx) => {
      await tx
        .update(ledgerAccounts)
        .set({ balance: limits.balance.byTransfer - 5 })
        .where(eq(ledgerAccounts.id, `${acme.other.accountId}:available:EUR`));
    });
    const send = (amount: number) =>
      create(world, acme.member.actor, {
        type: "transfer",
        account_id: acme.member.accountId,
        amount,
        currency: "EUR",
        destination_account_id: acme.other.accountId,
      } as const);
    expect(await refusalOf(send(6))).toBe("balance_limit_exceeded");
    await send(5);
    await earn(world, acme.other, largest);
  });
});

describe("a payment that a provider has taken", () => {
  it("is posted even if the balance was filled during the call", async () => {
    const charge = await beginCharge(world, acme.member, { amount: largest });
    await fill(acme.member);
    const taken = { kind: "charge", reference: "ch_1", status: "succeeded", amountCaptured: largest } as const;
    await settleNow(world, charge.id, { ...taken, actionUrl: null, method: null, failure: null });
    expect((await balancesOf(world, acme.member.accountId)).available).toBe(limits.balance.byRequest + 1);
  });

  it("needs room beforehand: attempts in progress and open authorizations count", async () => {
    const { member } = acme;
    const first = await ask(world, member.actor, { amount: largest, capture_method: "manual" });
    await payWith(world, first.token);
    await beginCharge(world, member, { amount: largest, status: "requires_action" });
    await earn(world, member, 1);
    await world.runtime.db.write(async (tx) => {
      await tx
        .update(ledgerAccounts)
        .set({ balance: limits.balance.byRequest - 2 * largest - 10 })
        .where(eq(ledgerAccounts.id, `${member.accountId}:available:EUR`));
    });
    const [small, large] = await Promise.all([10, 11].map((amount) => ask(world, member.actor, { amount })));
    expect(await refusalOf(payWith(world, large?.token ?? ""))).toBe("payment_not_payable");
    await payWith(world, small?.token ?? "");
    await captureRequest(world, member.actor, first.payment.payment_id);
  });
});

it("the organization's ledger accounts have one part per account", async () => {
  const world = await openWorld();
  const { id, member, other } = await world.organization();
  await earn(world, member, 700);
  await earn(world, other, 200);
  const parts = await world.runtime.db.read
    .select({ id: ledgerAccounts.id, balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.name, "bank"));
  expect(new Map(parts.map((part) => [part.id, part.balance]))).toEqual(
    new Map([
      [`${id}/${member.accountId}:bank:EUR`, 700],
      [`${id}/${other.accountId}:bank:EUR`, 200],
    ]),
  );
  await expectSoundLedger(world);
  await world.close();
});
