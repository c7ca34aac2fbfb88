// What the callers of an organization remember: what was accepted, and the answers to the calls with their keys.
import type * as z from "zod";
import type { payment } from "@/server/domains/payments/schema";
import type { Transaction } from "@/server/domains/transactions/schema";
import { Failure } from "@/server/kit/errors";
import type { World } from "../world";
import type { Action } from "./calls";
import type { Facts } from "./facts";
import { availableOf } from "./questions";
import { isOwnCharge } from "./steering";
import { isAttempt } from "./stored-cards";
import { must, mustEqual } from "./violation";

/** A call with an Idempotency-Key. */
export interface KeyedCall {
  key: string;
  /** When it was made first, epoch ms. */
  at: number;
  name: string;
  call(world: World): Promise<unknown>;
  action: Pick<Action, "name" | "mayFail" | "remember" | "sessionId">;
  /** The answer as text; null if there has been none. */
  answer: string | null;
}

/** The answer to a call as text: what it returned, or the code with which it was refused. */
export const textOf = (answer: unknown): string =>
  answer instanceof Failure ? answer.code : JSON.stringify(answer, (_, value: unknown) => value ?? null);

type Accepted = Pick<
  Transaction,
  "type" | "account_id" | "amount" | "currency" | "direction" | "destination_account_id"
>;
type Marked = Pick<z.output<typeof payment>, "account_id" | "currency" | "transaction_ids">;

export class Memory {
  /** Accepted transactions other than card payments, as answered. */
  private readonly accepted = new Map<string, Accepted>();
  /** The transactions that marked payment requests as paid, by the answers that told of them; null until looked up. */
  private readonly marked = new Map<string, { answer: Marked; amount: number; transactionId: string | null }>();
  readonly keyed: KeyedCall[] = [];
  /** Pay forms that began an attempt, with the minor units that the payer chose. */
  readonly forms = new Map<string, number>();
  /** Calls that may have created a refund without an answer. */
  unanswered = 0;
  /** Whether every acceptance was seen and counted: not with real concurrency. */
  isExact = true;
  /** Whether the provider has made a charge that it had promised never to make. */
  hasBrokenPromise = false;

  accept(answer: Transaction): void {
    this.accepted.set(answer.transaction_id, answer);
  }

  /** Accepts that `amount` was recorded for a payment request. The answer does not say by which of its transactions. */
  acceptMarked(answer: Marked, amount: number): void {
    const key = answer.transaction_ids.join();
    if (!this.marked.has(key)) this.marked.set(key, { answer, amount, transactionId: null });
  }

  /** Finds the transaction of each mark: one of those in the answer, recorded offline, that nothing else explains. */
  private findMarked(rows: ReadonlyMap<string, Facts["transactions"][number]>): void {
    for (const mark of this.marked.values()) {
      if (mark.transactionId !== null) continue;
      const { account_id, currency, transaction_ids: ids } = mark.answer;
      const isOffline = (id: string) => rows.get(id)?.type === "payment" && rows.get(id)?.provider === null;
      const found = ids.find((id) => isOffline(id) && rows.get(id)?.amount === mark.amount && !this.accepted.has(id));
      must(found !== undefined, "14", `a request was marked as paid, but no transaction of ${mark.amount} is recorded`);
      if (found === undefined) continue;
      mark.transactionId = found;
      const movement = { type: "payment", direction: "in", destination_account_id: null } as const;
      this.accepted.set(found, { ...movement, account_id, currency, amount: mark.amount });
    }
  }

  /** Throws a Violation if something accepted was lost, or something happened that nobody asked for. */
  check(facts: Facts): void {
    const rows = new Map(facts.transactions.map((row) => [row.id, row]));
    this.findMarked(rows);
    for (const [id, { type, account_id, amount, currency }] of this.accepted) {
      const row = rows.get(id);
      const found = row && [row.type, row.accountId, row.amount, row.currency];
      mustEqual(found, [type, account_id, amount, currency], "14", `${id}, which was accepted`);
    }
    const unknown = facts.transactions.filter(({ id, type, provider }) => {
      const isAttempt = type === "payment" && provider !== null;
      return !isAttempt && !this.accepted.has(id);
    });
    const isRefund = ({ type, provider }: (typeof unknown)[number]) => type === "refund" && provider !== null;
    const unasked = unknown.filter((row) => !isRefund(row));
    must(unasked.length === 0, "11", `nobody was told of ${unasked.map((row) => `${row.type} ${row.id}`)}`);
    const spare = unknown.length - this.unanswered;
    must(spare <= 0, "11", `there are ${spare} refunds more than were asked for: ${unknown.map((row) => row.id)}`);
    const attempts = facts.transactions.filter(
      (row) => row.type === "payment" && row.provider !== null && !isOwnCharge(facts, row),
    );
    const stored = facts.methods.filter(isAttempt).length;
    must(
      attempts.length + stored <= this.forms.size,
      "11",
      `${this.forms.size} forms made ${attempts.length} + ${stored} attempts`,
    );
    if (this.isExact) {
      const charged = [...attempts.map(({ amount }) => amount), ...Array<number>(stored).fill(0)].sort();
      mustEqual(charged, [...this.forms.values()].sort(), "11", "the amounts of attempts, and what forms chose");
    }
    this.checkBalances(facts);
  }

  /** Throws a Violation unless each balance is what was accepted, and what the provider took. */
  private checkBalances(facts: Facts): void {
    const expected = new Map<string, number>();
    const add = (account: string, change: number) => expected.set(account, (expected.get(account) ?? 0) + change);
    const charges = new Map(facts.charges.map((one) => [one.idempotencyKey, one]));
    for (const row of facts.transactions) {
      if (row.type === "payment" && row.provider !== null) {
        const taken = charges.get(row.id)?.amountCaptured ?? 0;
        const isTrue = row.amountCaptured === 0 || row.amountCaptured === taken;
        must(isTrue, "14", `${row.id}: the provider took ${taken}, and ${row.amountCaptured} is posted`);
        add(row.accountId, row.amountCaptured - row.amountDisputed);
      } else if (row.type === "refund") {
        if (row.status !== "failed") add(row.accountId, -row.amount);
      }
    }
    for (const { type, account_id, amount, direction, destination_account_id } of this.accepted.values()) {
      if (type === "refund") continue;
      add(account_id, type === "transfer" || direction === "out" ? -amount : amount);
      if (destination_account_id !== null) add(destination_account_id, amount);
    }
    for (const { accountId, amount } of facts.credits) add(accountId, -amount);
    for (const { kind, creditId, amount } of facts.creditUses) {
      const of = facts.credits.find(({ id }) => id === creditId)?.accountId;
      if (kind === "taken_back" && of !== undefined) add(of, amount);
    }
    for (const { id } of facts.accounts) {
      mustEqual(availableOf(facts, id), expected.get(id) ?? 0, "14", `${id} available balance`);
    }
  }
}
