// How many payment requests each tab of the dashboard's list has.
import * as z from "zod";
import { unpaidStatuses } from "@/db/schema/values";
import { rules } from "@/server/access/rules";
import { searchedAccounts, visibleAccount } from "@/server/domains/accounts/authorized-account";
import { withSurvivor } from "@/server/domains/customers/survivor";
import { inTurn } from "@/server/fairness/turns";
import type { ReadContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { edgeOf } from "@/server/kit/look-through";
import { operation } from "@/server/kit/operation";
import { paymentFilters } from "../filters";
import type { PaymentStatus } from "../rules";
import { dueTypes, type Search } from "../search-paths";
import { sourcesOf } from "../search-store";
import { refundStatuses, tabs } from "../status-tabs";

const number = z.int().min(0);

export const countPayments = operation({
  id: "payments.counts",
  summary: "Count payment requests by status",
  description: "If there are very many, only the newest are counted.",
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
    is_complete: z.boolean(),
    overdue: number.meta({ description: "These are open, too." }),
    is_overdue_complete: z.boolean(),
  }),
  errors: { account_not_found: 400, customer_not_found: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    if (input.account_id !== undefined) await visibleAccount(ctx, input.account_id, fail);
    const filters = await withSurvivor(ctx, input, fail);
    const accounts = await searchedAccounts(ctx, input.account_id);
    const search = { organizationId: ctx.scope.organizationId, accounts, filters, now: ctx.now };
    const sources = await inTurn(ctx.request, () => sourcesOf(ctx.db, search));
    const until = await inTurn(ctx.request, () => edgeOf(sources, null, limits.tabsCounted));
    const counts: Awaited<ReturnType<(typeof sources)[number]["countByStatus"]>> = [];
    for (const source of sources) {
      counts.push(...(await inTurn(ctx.request, () => source.countByStatus({ after: null, until }))));
    }
    const sum = (some: typeof counts) => some.reduce((total, one) => total + one.count, 0);
    const waiting = counts.filter(({ isOpen }) => isOpen);
    const others = counts.filter(({ isOpen }) => !isOpen);
    const inTab = (tab: keyof typeof tabs) =>
      sum(others.filter(({ status }) => (tabs[tab] as readonly string[]).includes(status)));
    const overdueWith = async (statuses: readonly PaymentStatus[], type = filters.type) => {
      // What is overdue is open, so often there is nothing to count. `overdue: false` leaves it out of the counts above.
      const mayBeOverdue =
        filters.overdue === false ||
        until !== null ||
        waiting.some(({ status, count }) => statuses.includes(status) && count > 0);
      if (!mayBeOverdue) return { count: 0, isComplete: true };
      return countOverdue(ctx, { ...search, filters: { ...filters, type, status: [...statuses] } });
    };
    // Counted apart, so that many of one kind leave none of another out.
    const overdue = [await overdueWith(refundStatuses)];
    for (const type of dueTypes) {
      if (filters.type?.includes(type) ?? true) overdue.push(await overdueWith(unpaidStatuses, [type]));
    }
    return {
      drafts: inTab("drafts"),
      open: sum(waiting),
      // The others with the status of an open one are idle.
      links: inTab("open"),
      to_capture: inTab("to_capture"),
      paid: inTab("paid"),
      expired: inTab("expired"),
      canceled: inTab("canceled"),
      all: sum(counts),
      is_complete: until === null,
      overdue: overdue.reduce((total, { count }) => total + count, 0),
      is_overdue_complete: overdue.every(({ isComplete }) => isComplete),
    };
  },
});

/** How many of the newest matches are overdue. */
async function countOverdue(ctx: ReadContext, search: Search): Promise<{ count: number; isComplete: boolean }> {
  const filters = { ...search.filters, overdue: true };
  const sources = await inTurn(ctx.request, () => sourcesOf(ctx.db, { ...search, filters }));
  const until = await inTurn(ctx.request, () => edgeOf(sources, null, limits.tabsCounted));
  let count = 0;
  for (const source of sources) count += await inTurn(ctx.request, () => source.count({ after: null, until }));
  return { count, isComplete: until === null };
}
