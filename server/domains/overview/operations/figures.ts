// What was requested, received and refunded in a period, and what is due now, per currency: the figures of the home page.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { searchedAccounts } from "@/server/domains/accounts/authorized-account";
import type { PaymentFilters } from "@/server/domains/payments/filters";
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
import { currencyFigures, Figures } from "../figures";
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
    "count: no money moved. `disputed` is what open disputes hold of the payments, and what lost ones took: what was " +
    "received, less what was refunded and disputed, is what became available. `requested` is what was newly requested, whatever became of " +
    "it. `open` is not compared: what was open at the end of the period before is not known.",
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
    is_requested_complete: z.boolean(),
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
    const open = await requestSums(ctx, accounts, filtersOfTab.open, null);
    const requested = {
      now: await requestSums(ctx, accounts, { requested: true }, period),
      before: await requestSums(ctx, accounts, { requested: true }, before),
    };
    const figures = new Figures(days);
    for (const one of moved.found) {
      const kind = one.type === "payment" ? "received" : "refunded";
      const disputed = { currency: one.currency, amount: one.disputed, count: one.disputes };
      for (const [name, sum] of [[kind, one] as const, ["disputed", disputed] as const]) {
        if (one.part >= 0) figures.add("now", name, sum, period.from + one.part * grain);
        if (one.part === -1) figures.add("before", name, sum, null);
      }
    }
    for (const { due, ...one } of open.found) figures.addOpen({ ...one, amount: due });
    for (const when of ["now", "before"] as const) {
      for (const one of requested[when].found) figures.addRequested(when, one);
    }
    return {
      period: wireSpan(period),
      before: wireSpan(before),
      days: days.map((day) => ({ day: day.day, ...wireSpan(day) })),
      currencies: figures.sorted(),
      is_complete: moved.isComplete && figures.isComplete,
      is_open_complete: open.isComplete && figures.isOpenComplete,
      is_requested_complete: requested.now.isComplete && requested.before.isComplete && figures.isRequestedComplete,
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

/** What the matching payment requests ask for and what is due of them; of those created within the time span, if any. */
async function requestSums(ctx: ReadContext, accounts: AccountIds, wanted: PaymentFilters, span: Span | null) {
  const filters = span === null ? wanted : { ...wanted, created_from: span.from, created_to: span.to };
  const search = { organizationId: ctx.scope.organizationId, accounts, filters, now: ctx.now };
  const sources = await inTurn(ctx.request, () => paymentSources(ctx.db, search));
  return totalThrough(ctx.request, sources, span, (source, stretch) => source.sumsByCurrency(stretch));
}
