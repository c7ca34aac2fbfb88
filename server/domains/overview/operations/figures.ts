// What was received and refunded in a period, per currency and day, and what is due now: the figures of the home page.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { searchedAccounts } from "@/server/domains/accounts/authorized-account";
import { sourcesOf as paymentSources } from "@/server/domains/payments/search-store";
import { filtersOfTab } from "@/server/domains/payments/status-tabs";
import { totalSourcesOf } from "@/server/domains/transactions/search";
import type { Parts, Sums } from "@/server/domains/transactions/search-store";
import { inTurn } from "@/server/fairness/turns";
import type { ReadContext } from "@/server/kit/context";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { currencyFigures, type Due, Figures } from "../figures";
import { grainOf, lastDays, type Span, spanBefore } from "../period";
import { settledStatuses } from "../settled";
import { type Totals, totalThrough } from "../totals";

const span = z.strictObject({ from: fields.timestamp, to: fields.timestamp });

export const overviewFigures = operation({
  id: "overview.figures",
  summary: "Add up payments and refunds",
  description:
    "Of what the caller sees, by currency. If there are very many, only the newest are added up. A payment counts with " +
    "what was captured, on the day of its creation. What was paid out of customers' credit, or refunded into it, does not " +
    "count: no money moved.",
  access: rules["overview.read"],
  time: "organization",
  effect: "read",
  input: z.strictObject({
    days: z.literal([...limits.overview.days]).describe("The length of the period, which ends today."),
    timezone: fields.timezone,
  }),
  output: z.strictObject({
    period: span,
    before: span,
    days: z.array(z.strictObject({ day: z.string(), from: fields.timestamp, to: fields.timestamp })),
    /** The one with the most payments first. */
    currencies: z.array(currencyFigures),
    is_complete: z.boolean(),
    is_open_complete: z.boolean(),
  }),
  errors: {},
  async run({ ctx, input }) {
    const accounts = await searchedAccounts(ctx, undefined);
    const days = lastDays(ctx.now, input.days, input.timezone);
    const [first, last] = [days[0], days.at(-1)];
    const period = { from: first?.from ?? 0, to: last?.to ?? 0 };
    const before = spanBefore(days, ctx.now, input.timezone);
    const grain = grainOf(days);
    const moved = await sumsOf(
      ctx,
      accounts,
      { from: before.from, to: period.to },
      {
        start: period.from,
        grain,
        earlierEnd: before.to,
      },
    );
    const open = await openOf(ctx, accounts);
    const figures = new Figures(days);
    for (const one of moved.found) {
      if (one.part >= 0) figures.add("now", one, period.from + one.part * grain);
      if (one.part === -1) figures.add("before", one, null);
    }
    for (const one of open.found) figures.addOpen(one);
    return {
      period: wireSpan(period),
      before: wireSpan(before),
      days: days.map((day) => ({ day: day.day, ...wireSpan(day) })),
      currencies: figures.sorted(),
      is_complete: moved.isComplete && figures.isComplete,
      is_open_complete: open.isComplete && figures.isOpenComplete,
    };
  },
});

const wireSpan = ({ from, to }: Span) => ({ from: iso(from), to: iso(to) });

type AccountIds = readonly string[] | null;

/** Payments and refunds within the time span, added up by its parts. */
function sumsOf(ctx: ReadContext, accounts: AccountIds, within: Span, parts: Parts): Promise<Totals<Sums>> {
  const filters = {
    type: ["payment" as const, "refund" as const],
    status: [...settledStatuses],
    // What was paid of a customer's credit was received before, as the surplus of another payment.
    customer_credit: false,
    created_from: within.from,
    created_to: within.to,
  };
  const search = { organizationId: ctx.scope.organizationId, accounts, filters, now: ctx.now };
  return totalThrough(ctx.request, totalSourcesOf(ctx.db, search), within, (source, stretch) =>
    source.sums(stretch, parts),
  );
}

/** What is due of the open payment requests. */
async function openOf(ctx: ReadContext, accounts: AccountIds): Promise<Totals<Due>> {
  const filters = filtersOfTab.open;
  const search = { organizationId: ctx.scope.organizationId, accounts, filters, now: ctx.now };
  const sources = await inTurn(ctx.request, () => paymentSources(ctx.db, search));
  return totalThrough(ctx.request, sources, null, (source, stretch) => source.dueByCurrency(stretch));
}
