// Random movements of money as fast-check commands: payments, refunds and transfers as the product makes them.
import { eq, sql } from "drizzle-orm";
import * as fc from "fast-check";
import type { Tx } from "@/db/client";
import { transactions } from "@/db/tables";
import * as rules from "@/server/domains/ledger/rules";
import { guardedUpdate, type TestLedger } from "./ledger";

export const currencies = ["EUR", "JPY"] as const;

/** Indices are taken modulo the number of objects when the command runs. */
export type Command =
  | { do: "offline" | "capture" | "authorize" | "credit"; account: number; currency: number; amount: number }
  | { do: "adjust"; account: number; currency: number; amount: number; direction: "in" | "out" }
  | { do: "transfer"; account: number; to: number; currency: number; amount: number }
  | { do: "captureHold"; which: number; share: number }
  | { do: "void"; which: number }
  | { do: "refund"; which: number; amount: number }
  | { do: "endRefund"; which: number; outcome: "succeeded" | "failed" }
  | { do: "returnRefund"; which: number };

const account = fc.nat({ max: 2 });
const currency = fc.nat({ max: currencies.length - 1 });
const amount = fc.oneof(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 999_999_999_999 }));
const which = fc.nat({ max: 50 });

export const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ do: fc.constantFrom("offline", "capture", "authorize", "credit"), account, currency, amount }),
  fc.record({ do: fc.constant("adjust"), account, currency, amount, direction: fc.constantFrom("in", "out") }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant("transfer"), account, to: account, currency, amount }) },
  fc.record({ do: fc.constant("captureHold"), which, share: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ do: fc.constant("void"), which }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant("refund"), which, amount }) },
  fc.record({ do: fc.constant("endRefund"), which, outcome: fc.constantFrom("succeeded", "failed") }),
  fc.record({ do: fc.constant("returnRefund"), which }),
);

interface Known {
  id: string;
  accountId: string;
  currency: string;
  amount: number;
  provider: string | null;
  livemode: boolean;
  parent: string | null;
}

/** The objects made so far, for later commands to act on. */
export class Desk {
  private readonly payments: Known[] = [];
  private readonly holds: Known[] = [];
  private readonly refunds: Known[] = [];

  constructor(private readonly ledger: TestLedger) {}

  /** Runs a command. Rejects with Refused if nothing could be done. */
  async run(c: Command): Promise<void> {
    switch (c.do) {
      case "offline":
      case "capture":
      case "authorize":
        return this.payment(c.do, this.place(c), c.amount);
      case "credit":
        return this.credit(this.place(c), c.amount);
      case "adjust":
        return this.adjust(this.place(c), c.amount, c.direction);
      case "transfer":
        return this.transfer(this.place(c), c.to, c.amount);
      case "captureHold":
        return this.onKnown(this.holds, c.which, (hold) => this.captureHold(hold, c.share));
      case "void":
        return this.onKnown(this.holds, c.which, (hold) => this.voidHold(hold));
      case "refund":
        return this.onKnown(this.payments, c.which, (payment) => this.refund(payment, c.amount));
      case "endRefund":
        return this.onKnown(this.refunds, c.which, (refund) => this.endRefund(refund, c.outcome));
      case "returnRefund":
        return this.onKnown(this.refunds, c.which, (refund) => this.returnRefund(refund));
    }
  }

  /** Covers both modes: amounts in JPY are live money here, all others sandbox money. */
  private isLive = (place: Place) => place.currency === "JPY";

  private place(c: { account: number; currency: number }) {
    return { accountId: this.ledger.accountIds[c.account] ?? "", currency: currencies[c.currency] ?? "EUR" };
  }

  private async onKnown<T>(known: readonly T[], which: number, act: (one: T) => Promise<void>): Promise<void> {
    const one = known[which % Math.max(1, known.length)];
    if (one) await act(one);
  }

  private async payment(kind: "offline" | "capture" | "authorize", place: Place, amount: number): Promise<void> {
    const money = { ...place, amount };
    const provider = kind === "offline" ? null : "sandbox";
    const livemode = this.isLive(place);
    const isHeld = kind === "authorize";
    const journal = isHeld
      ? rules.authorizationOpened(money)
      : provider
        ? rules.captured({ ...money, provider })
        : rules.offlinePayment(money);
    const row = isHeld
      ? { status: "authorized" as const, amountAuthorized: amount }
      : { status: "succeeded" as const, amountAuthorized: amount, amountCaptured: amount };
    const id = await this.ledger.post(
      { type: "payment", direction: "in", provider, livemode, ...money, ...row },
      journal,
    );
    (isHeld ? this.holds : this.payments).push({ id, ...money, provider, livemode, parent: null });
  }

  private async credit(place: Place, amount: number): Promise<void> {
    const money = { ...place, amount };
    const journal = rules.goodwillCredit(money);
    const row = { type: "credit", status: "succeeded", direction: "in", livemode: this.isLive(place) } as const;
    await this.ledger.post({ ...row, ...money }, journal);
  }

  private async adjust(place: Place, amount: number, direction: "in" | "out"): Promise<void> {
    const money = { ...place, amount, direction };
    const row = { type: "adjustment", status: "succeeded", livemode: this.isLive(place) } as const;
    await this.ledger.post({ ...row, ...money }, rules.adjustment(money));
  }

  private async transfer(place: Place, to: number, amount: number): Promise<void> {
    const destinationAccountId = this.ledger.accountIds[to] ?? "";
    if (destinationAccountId === place.accountId) return;
    const journal = rules.transfer({
      from: place.accountId,
      to: destinationAccountId,
      amount,
      currency: place.currency,
    });
    const row = {
      type: "transfer",
      status: "succeeded",
      direction: "out",
      livemode: this.isLive(place),
      ...place,
      amount,
      destinationAccountId,
    } as const;
    await this.ledger.post(row, journal);
  }

  private async captureHold(hold: Known, share: number): Promise<void> {
    const amount = Math.max(1, Math.floor((hold.amount / 100) * share));
    const released = hold.amount - amount;
    const set = { status: "succeeded", amountCaptured: amount, amountReleased: released };
    await this.ledger.move(
      hold.id,
      (tx) => guardedUpdate(tx, hold.id, ["authorized"], set),
      rules.captured({ ...hold, amount, provider: "sandbox", heldAmount: amount, releasedAmount: released }),
    );
    this.payments.push({ ...hold, amount });
  }

  private async voidHold(hold: Known): Promise<void> {
    const set = { status: "canceled", amountReleased: hold.amount };
    const journal = rules.authorizationReleased(hold);
    await this.ledger.move(hold.id, (tx) => guardedUpdate(tx, hold.id, ["authorized"], set), journal);
  }

  private async refund(payment: Known, wanted: number): Promise<void> {
    const amount = Math.min(wanted, payment.amount);
    const money = { accountId: payment.accountId, currency: payment.currency, amount };
    const row = {
      type: "refund",
      status: "pending",
      direction: "out",
      parentTransactionId: payment.id,
      provider: payment.provider,
      livemode: payment.livemode,
      ...money,
    } as const;
    const { amountRefunded, amountRefunding, amountCaptured } = transactions;
    const id = await this.ledger.post(
      row,
      (tx) =>
        guardedUpdate(
          tx,
          payment.id,
          ["succeeded", "partially_refunded", "refunded"],
          { amountRefunding: sql`${amountRefunding} + ${amount}` },
          sql`${amountRefunded} + ${amountRefunding} + ${amount} <= ${amountCaptured}`,
        ),
      rules.refundCreated(money),
    );
    this.refunds.push({ ...payment, id, ...money, parent: payment.id });
  }

  private async endRefund(refund: Known, outcome: "succeeded" | "failed"): Promise<void> {
    const { amountRefunded, amountRefunding } = transactions;
    const done = outcome === "succeeded" ? { amountRefunded: sql`${amountRefunded} + ${refund.amount}` } : {};
    await this.ledger.move(
      refund.id,
      async (tx) => {
        if (!(await guardedUpdate(tx, refund.id, ["pending"], { status: outcome }))) return false;
        const rest = sql`${amountRefunding} - ${refund.amount}`;
        await tx
          .update(transactions)
          .set({ amountRefunding: rest, ...done })
          .where(eq(transactions.id, refund.parent ?? ""));
        await this.followRefunds(tx, refund);
        return true;
      },
      outcome === "succeeded" ? rules.refundSucceeded(refund) : rules.refundFailed(refund),
    );
  }

  private async returnRefund(refund: Known): Promise<void> {
    await this.ledger.move(
      refund.id,
      async (tx) => {
        if (!(await guardedUpdate(tx, refund.id, ["succeeded"], { status: "failed" }))) return false;
        const rest = sql`${transactions.amountRefunded} - ${refund.amount}`;
        await tx
          .update(transactions)
          .set({ amountRefunded: rest })
          .where(eq(transactions.id, refund.parent ?? ""));
        await this.followRefunds(tx, refund);
        return true;
      },
      rules.refundReturned(refund),
    );
  }

  /** Updates the payment's status after its refunds changed. */
  private async followRefunds(tx: Tx, { parent }: Known): Promise<void> {
    const { amountRefunded, amountCaptured } = transactions;
    const status = sql`case when ${amountRefunded} = 0 then 'succeeded' when ${amountRefunded} = ${amountCaptured}
      then 'refunded' else 'partially_refunded' end`;
    await tx
      .update(transactions)
      .set({ status })
      .where(eq(transactions.id, parent ?? ""));
  }
}

interface Place {
  accountId: string;
  currency: string;
}
