// Random commands against a small model, which predicts every answer, error and balance.
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ledgerAccounts, postings } from "@/db/tables";
import { Failure } from "@/server/kit/errors";
import { balancesOf, type CreateInput, create, expectSoundLedger, rowOf } from "@/test/money";
import { openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

type Command =
  | { do: "payment" | "credit"; on: number; amount: number }
  | { do: "adjustment"; on: number; amount: number; direction: "in" | "out" }
  | { do: "transfer"; on: number; to: number; amount: number }
  | { do: "refund"; of: number; amount: number | null };

const amount = fc.integer({ min: 1, max: 500 });
const on = fc.nat(2);
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ do: fc.constantFrom("payment" as const, "credit" as const), on, amount }),
  fc.record({
    do: fc.constant("adjustment" as const),
    on,
    amount,
    direction: fc.constantFrom("in" as const, "out" as const),
  }),
  fc.record({ do: fc.constant("transfer" as const), on, to: on, amount }),
  fc.record({ do: fc.constant("refund" as const), of: fc.nat(9), amount: fc.option(amount) }),
);

/** The balances of three accounts and what can be refunded of each payment. The product must agree. */
class Model {
  readonly available = [0, 0, 0];
  readonly payments: { id: string; on: number; captured: number; left: number }[] = [];

  constructor(private readonly org: TestOrganization) {}

  get accountIds(): string[] {
    return [this.org.admin, this.org.member, this.org.other].map((user) => user.accountId);
  }

  /** The input for a command; null if there is no payment to refund. */
  requestOf(command: Command): CreateInput | null {
    const account = (index: number) => this.accountIds[index] ?? "";
    if (command.do === "refund") {
      const payment = this.payments[command.of % Math.max(1, this.payments.length)];
      return payment ? { type: "refund", parent_transaction_id: payment.id, amount: command.amount } : null;
    }
    const money = { account_id: account(command.on), amount: command.amount, currency: "EUR" };
    if (command.do === "transfer") return { type: "transfer", destination_account_id: account(command.to), ...money };
    if (command.do === "adjustment") {
      return { type: "adjustment", direction: command.direction, reason: "correction", ...money };
    }
    return { type: command.do, ...money };
  }

  /** Applies the command. Returns the error code that it must fail with, or null if it must succeed. */
  apply(command: Command, id: () => string): string | null {
    switch (command.do) {
      case "payment":
        this.payments.push({ id: id(), on: command.on, captured: command.amount, left: command.amount });
        return this.move(command.on, command.amount);
      case "credit":
        return this.move(command.on, command.amount);
      case "adjustment":
        return this.move(command.on, command.direction === "in" ? command.amount : -command.amount);
      case "transfer":
        if (command.on === command.to) return "same_account_transfer";
        return this.move(command.on, -command.amount) ?? this.move(command.to, command.amount);
      case "refund": {
        const payment = this.payments[command.of % this.payments.length];
        const wanted = command.amount ?? payment?.left ?? 0;
        if (!payment || payment.left === 0 || wanted > payment.left) return "refund_exceeds_captured";
        const refusal = this.move(payment.on, -wanted);
        if (refusal === null) payment.left -= wanted;
        return refusal;
      }
    }
  }

  private move(index: number, change: number): string | null {
    const after = (this.available[index] ?? 0) + change;
    if (after < 0) return "insufficient_balance";
    this.available[index] = after;
    return null;
  }
}

/** The organization's ledger, which a failed command must not change. */
const ledgerOf = async (organizationId: string) => ({
  heads: await world.runtime.db.read
    .select()
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.organizationId, organizationId))
    .orderBy(ledgerAccounts.id),
  postings: await world.runtime.db.read.$count(postings),
});

describe("any commands in any order", () => {
  it("agree with the model, and a failed command leaves the ledger unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), async (commands) => {
        const org = await world.organization();
        const model = new Model(org);
        for (const command of commands) {
          const request = model.requestOf(command);
          if (!request) continue;
          const before = await ledgerOf(org.id);
          const answer = await create(world, org.admin.actor, request).catch((error: unknown) => error);
          const isRefused = answer instanceof Failure;
          if (answer instanceof Error && !isRefused) throw answer;
          const expected = model.apply(command, () => (answer as { transaction_id: string }).transaction_id);
          expect(isRefused ? answer.code : null).toBe(expected);
          if (isRefused) expect(await ledgerOf(org.id)).toEqual(before);
        }
        for (const [index, accountId] of model.accountIds.entries()) {
          expect((await balancesOf(world, accountId)).available ?? 0).toBe(model.available[index]);
        }
        for (const { id, captured, left } of model.payments) {
          const status = left === captured ? "succeeded" : left === 0 ? "refunded" : "partially_refunded";
          expect(await rowOf(world, id)).toMatchObject({ status, amountRefunded: captured - left, amountRefunding: 0 });
        }
      }),
      { numRuns: 15 },
    );
  });
});
