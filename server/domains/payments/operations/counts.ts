// How many payment requests each tab of the dashboard's list has.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { inTurn } from "@/server/fairness/turns";
import type { ReadContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { edgeOf } from "@/server/kit/look-through";
import { operation } from "@/server/kit/operation";
import { type Total, totalOf } from "@/server/kit/totals";
import { type PaymentFilters, paymentFilters } from "../filters";
import type { PaymentStatus } from "../rules";
import { searchFor } from "../search";
import type { Search } from "../search-paths";
import { sourcesOf } from "../search-store";
import { filtersOfTab, tabs } from "../status-tabs";

const number = z.int().min(0);

/** What is counted: the tabs, all of them together, and what is overdue. */
const names = ["drafts", "open", "links", "to_capture", "paid", "expired", "canceled", "all", "overdue"] as const;
type Name = (typeof names)[number];

export const countPayments = operation({
  id: "payments.counts",
  summary: "Count payment requests by status",
  description: "If there are very many, a number above 1,000 is an estimate.",
  access: rules["payments.read"],
  time: "organization",
  effect: "read",
  input: paymentFilters.omit({ status: true, open: true }),
  output: z.strictObject({
    drafts: number,
    open: number,
    links: number.meta({ description: "Reusable links that can be used, and uses of them that nobody is paying." }),
    to_capture: number,
    paid: number,
    expired: number,
    canceled: number,
    all: number,
    overdue: number.meta({ description: "These are open, too." }),
    estimates: z.array(z.enum(names)).meta({ description: "Which of the numbers are estimates." }),
  }),
  errors: { account_not_found: 400, customer_not_found: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    const search = await searchFor(ctx, input, fail);
    const sources = await inTurn(ctx.request, () => sourcesOf(ctx.db, search));
    const isMany = (await inTurn(ctx.request, () => edgeOf(sources, null, limits.totals.exact + 1))) !== null;
    return isMany ? countMany(ctx, search) : countFew(ctx, search, sources);
  },
});

/** Counts each tab as its list does. */
async function countMany(ctx: ReadContext, search: Search) {
  const counts = {} as Record<Name, number>;
  const estimates: Name[] = [];
  for (const name of names) {
    const filters = { ...search.filters, ...filtersOf(name) };
    const { count, isEstimate } = await totalWith(ctx, { ...search, filters });
    counts[name] = count;
    if (isEstimate) estimates.push(name);
  }
  return { ...counts, estimates };
}

function filtersOf(name: Name): PaymentFilters {
  if (name === "all") return {};
  if (name === "overdue") return { overdue: true };
  const tab: { status?: readonly PaymentStatus[]; open?: boolean } = filtersOfTab[name];
  return { ...tab, status: tab.status && [...tab.status] };
}

async function totalWith(ctx: ReadContext, search: Search): Promise<Total> {
  const sources = await inTurn(ctx.request, () => sourcesOf(ctx.db, search));
  return totalOf(ctx, ["payments", search.filters, search.accounts], sources);
}

/** Counts all tabs in one query for each source. */
async function countFew(ctx: ReadContext, search: Search, sources: Awaited<ReturnType<typeof sourcesOf>>) {
  const counts: Awaited<ReturnType<(typeof sources)[number]["countByStatus"]>> = [];
  for (const source of sources) {
    counts.push(...(await inTurn(ctx.request, () => source.countByStatus({ after: null, until: null }))));
  }
  const sum = (some: typeof counts) => some.reduce((total, one) => total + one.count, 0);
  const open = sum(counts.filter(({ isOpen }) => isOpen));
  const others = counts.filter(({ isOpen }) => !isOpen);
  const inTab = (tab: keyof typeof tabs) =>
    sum(others.filter(({ status }) => (tabs[tab] as readonly string[]).includes(status)));
  // What is overdue is open, so often there is nothing to count. `overdue: false` leaves it out of the counts above.
  const mayBeOverdue = open > 0 || search.filters.overdue === false;
  const overdue = mayBeOverdue
    ? await totalWith(ctx, { ...search, filters: { ...search.filters, overdue: true } })
    : null;
  return {
    drafts: inTab("drafts"),
    open,
    // The others with the status of an open one are idle.
    links: inTab("open"),
    to_capture: inTab("to_capture"),
    paid: inTab("paid"),
    expired: inTab("expired"),
    canceled: inTab("canceled"),
    all: sum(counts),
    overdue: overdue?.count ?? 0,
    estimates: [],
  };
}
