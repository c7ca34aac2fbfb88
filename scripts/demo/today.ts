// The demo's last days: what needs attention today, installments, and a customer with credit.
import { applyCredit } from "@/server/domains/payments/operations/apply-credit";
import { markPaid } from "@/server/domains/payments/operations/mark-paid";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { dayMs, hourMs } from "@/server/kit/limits";
import { deposits, people } from "./bakery";
import type { Business, RequestFields } from "./business";
import { challenged, slowRefund } from "./cards";
import type { Chance } from "./chance";
import type { Payers } from "./payers";
import type { Timeline } from "./timeline";

interface Story {
  business: Business;
  payers: Payers;
  timeline: Timeline;
  chance: Chance;
}

/** Plans the days before `end`, in epoch ms, for the bakery's account. */
export function planToday(story: Story, end: number, bakery: string): void {
  const { business, payers, timeline, chance } = story;
  const ask = (description: string, amount: number, more: Partial<RequestFields> = {}) =>
    business.ask({
      ...{ type: "product", account_id: bakery, currency: "EUR", customer: chance.one(people) },
      ...{ description, amount, ...more },
    });
  timeline.plan(end - 3 * dayMs, async () => {
    await payers.byTransfer(await ask("Cake for the christening on Sunday", 12_400), 5_000);
  });
  timeline.plan(end - dayMs, async () => {
    const request = await ask("Croissants for the office", 3_900);
    await business.pay(request, slowRefund);
    await business.call(refundPayment, { payment_id: request.id, reason: "duplicate" });
  });
  timeline.plan(end - 2 * 60_000, async () => {
    await business.pay(await ask("Gingerbread house, large", 7_900), challenged);
  });
  timeline.plan(end - 6 * dayMs, async () => {
    const request = await ask(deposits[0] ?? "", 25_000, { capture_method: "manual" });
    await business.pay(request, "4242424242424242");
  });

  // A wedding is paid in three installments: the first one came by transfer, and the second one is overdue.
  timeline.plan(end - 40 * dayMs, async () => {
    const installments = [-35, -5, 25].map((days) => ({
      ...{ amount: 30_000, due_at: new Date(end + days * dayMs).toISOString() },
    }));
    await payers.byTransfer(await ask("Wedding cake and sweet table", 90_000, { installments }), 30_000);
  });

  // Seats of a baking course are sold by one link. One card was declined, and some seats are left.
  timeline.plan(end - 8 * dayMs, async () => {
    const course = await ask("Seat in the baking course, 12 December", 5_900, { customer: undefined, usage_limit: 12 });
    for (const [i, name] of ["Ada Lovelace", "Emmy Noether", "Sofja Kowalewskaja", "Lise Meitner"].entries()) {
      const email = `${name.toLowerCase().replace(" ", ".")}@example.com`;
      timeline.plan(end - (7 - i) * dayMs, () =>
        business.payUse(course, { name, email }, i === 2 ? "4000000000000002" : "4242424242424242"),
      );
    }
  });

  // A transfer that came twice becomes credit. It pays one order, and the rest of it waits for another.
  const customer = chance.one(people);
  timeline.plan(end - 5 * dayMs, async () => {
    const { id: payment_id } = await ask("Bread box for two months", 2_900, { customer });
    const twice = { method: "bank_transfer", reason: "Transferred twice", amount: 5_800 } as const;
    await business.call(markPaid, { payment_id, ...twice, overpayment: "credit" });
  });
  timeline.plan(end - 4 * dayMs, async () => {
    const { id: payment_id } = await ask("Rye loaves for Saturday", 1_250, { customer });
    await business.call(applyCredit, { payment_id });
  });
  timeline.plan(end - 5 * hourMs, () => ask("Birthday cake with raspberries", 4_500, { customer }));
}
