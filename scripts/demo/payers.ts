// How the demo's customers react to a payment request, and what the bakery does with it afterwards.
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { capturePayment } from "@/server/domains/payments/operations/capture";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { dayMs, hourMs, limits } from "@/server/kit/limits";
import type { Business, Requested } from "./business";
import { challenged, goodCards, jcb, noFunds, refused } from "./cards";
import type { Chance } from "./chance";
import { renewOnTime } from "./subscriptions";
import type { Timeline } from "./timeline";

const reactions = { pays: 74, secondCard: 6, confirms: 6, transfers: 5, forgets: 5, isCanceled: 3, fails: 1 };

export class Payers {
  constructor(
    readonly business: Business,
    readonly timeline: Timeline,
    private readonly chance: Chance,
  ) {}

  /** Plans what happens to a payment request. */
  answer(request: Requested, kind: string): void {
    const reaction = this.chance.weighted(reactions);
    const soon = this.timeline.now() + this.delayOf(kind);
    const card = request.currency === "JPY" ? jcb : this.chance.one(goodCards);
    if (reaction === "forgets") return;
    this.timeline.plan(soon, async () => {
      if (reaction === "isCanceled") return this.business.call(cancelPayment, { payment_id: request.id });
      if (reaction === "transfers" && kind !== "deposit") return this.byTransfer(request);
      if (reaction === "fails") return this.failForGood(request);
      if (reaction === "secondCard") await this.business.pay(request, noFunds);
      const confirmUrl = await this.business.pay(request, reaction === "confirms" ? challenged : card);
      if (confirmUrl !== null) await this.business.confirm(confirmUrl, "complete");
      if (kind === "deposit") this.planCapture(request);
      else this.planRefund(request);
      const subscription = kind === "subscription" ? await this.business.subscriptionOf(request) : null;
      if (subscription !== null) await renewOnTime(this, subscription);
    });
  }

  /** Companies take their time; some are late. */
  private delayOf(kind: string): number {
    return kind === "catering" ? this.chance.whole(2 * dayMs, 20 * dayMs) : this.chance.whole(60_000, 30 * hourMs);
  }

  /** Records money that arrived at the bank. */
  byTransfer({ id, amount: due, currency, account }: Requested, amount = due) {
    const payment = { type: "payment", account_id: account, amount, currency, payment_id: id } as const;
    return this.business.call(createTransaction, { ...payment, description: "Bank transfer" });
  }

  private async failForGood(request: Requested): Promise<void> {
    for (let attempt = 0; attempt < limits.failures.declined; attempt++) await this.business.pay(request, refused);
  }

  /** The guests leave the bakehouse clean, or a part of the deposit is kept. */
  private planCapture({ id, amount }: Requested): void {
    const at = this.timeline.now() + this.chance.whole(dayMs, 5 * dayMs);
    const outcome = this.chance.weighted({ released: 55, part: 30, all: 15 });
    this.timeline.plan(at, () => {
      if (outcome === "released") return this.business.call(cancelPayment, { payment_id: id });
      return this.business.call(
        capturePayment,
        outcome === "all" ? { payment_id: id } : { payment_id: id, amount: amount / 4 },
      );
    });
  }

  private planRefund({ id, amount }: Requested): void {
    const outcome = this.chance.weighted({ none: 91, part: 6, all: 3 });
    if (outcome === "none") return;
    const reason = { reason: "requested_by_customer" } as const;
    this.timeline.plan(this.timeline.now() + this.chance.whole(dayMs, 9 * dayMs), () =>
      this.business.call(refundPayment, {
        payment_id: id,
        ...reason,
        ...(outcome === "part" ? { amount: Math.ceil(amount / 3) } : {}),
      }),
    );
  }
}
