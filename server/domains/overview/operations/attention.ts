// What will need attention soon: how many of each kind, for the home page.
import * as z from "zod";
import { may } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import { searchedAccounts } from "@/server/domains/accounts/authorized-account";
import type { PaymentFilters } from "@/server/domains/payments/filters";
import { sourcesOf } from "@/server/domains/payments/search-store";
import { filtersOfTab, tabs } from "@/server/domains/payments/status-tabs";
import { inTurn } from "@/server/fairness/turns";
import type { ReadContext } from "@/server/kit/context";
import { timestamp } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import type { Stretch } from "@/server/kit/look-through";
import { operation } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { countAdminsWithoutFactor, countDisputed, countOrphaned } from "../attention-store";
import { totalThrough } from "../totals";

const number = z.int().min(0);
const most = limits.overview.counted;

export const overviewAttention = operation({
  id: "overview.attention",
  summary: "Count what needs attention soon",
  description: "Of what the caller sees. Counts end at the largest number that the home page shows, plus one.",
  access: rules["overview.read"],
  time: "organization",
  effect: "read",
  input: z.strictObject({}),
  output: z.strictObject({
    /** The lists that are counted end here. */
    ends_before: timestamp,
    lapsing: number.describe("Authorized payment requests that lapse before then."),
    expiring: number.describe("Open payment requests that expire before then."),
    many_declines: number.describe("Reusable links on which very many cards were declined."),
    over_limit: number.describe("Payers of reusable links beyond the limit."),
    link_requests: number.describe("Expired payment requests whose customers asked for a new link."),
    is_complete: z
      .boolean()
      .describe("Whether all payment requests that could end were looked at, if fewer were found."),
    open_disputes: number.describe("Payments that their customers dispute."),
    orphaned_accounts: number,
    admins_without_factor: number,
  }),
  errors: {},
  async run({ ctx }) {
    const { actor, db, scope } = ctx;
    const endsBefore = ctx.now + limits.overview.soonMs;
    const accounts = await searchedAccounts(ctx, undefined);
    const lapsing = await countEnding(ctx, accounts, { status: [...tabs.to_capture] }, endsBefore);
    const expiring = await countEnding(ctx, accounts, filtersOfTab.open, endsBefore);
    const declines = await countMatches(ctx, accounts, { many_declines: true });
    const overLimit = await countMatches(ctx, accounts, { over_limit: true });
    const asked = await countMatches(ctx, accounts, { link_requested: true });
    return {
      over_limit: overLimit.count,
      link_requests: asked.count,
      many_declines: declines.count,
      ends_before: iso(endsBefore),
      lapsing: lapsing.count,
      expiring: expiring.count,
      is_complete: [lapsing, expiring, declines, overLimit, asked].every(({ isComplete }) => isComplete),
      open_disputes: await countDisputed(db, { organizationId: scope.organizationId, accounts }, most),
      orphaned_accounts: may("accounts.list", actor) ? await countOrphaned(db, scope.organizationId, most) : 0,
      admins_without_factor: may("users.list", actor)
        ? await countAdminsWithoutFactor(db, scope.organizationId, most)
        : 0,
    };
  },
});

/** The payment requests in a tab that expire or lapse before an instant (epoch ms): at most `most`. */
async function countEnding(
  ctx: ReadContext,
  accounts: readonly string[] | null,
  tab: Pick<PaymentFilters, "status" | "open">,
  endsBefore: number,
): Promise<{ count: number; isComplete: boolean }> {
  return countMatches(ctx, accounts, { ...tab, ends_before: endsBefore });
}

/** The payment requests that match: at most `most`. */
async function countMatches(
  ctx: ReadContext,
  accounts: readonly string[] | null,
  filters: PaymentFilters,
): Promise<{ count: number; isComplete: boolean }> {
  const search = { organizationId: ctx.scope.organizationId, accounts, filters, now: ctx.now };
  const sources = await inTurn(ctx.request, () => sourcesOf(ctx.db, search));
  let count = 0;
  const counted = async (source: (typeof sources)[number], stretch: Stretch) => {
    count += await source.count(stretch);
    return [];
  };
  const isEnough = () => count >= most;
  const { isComplete } = await totalThrough(ctx.request, sources, null, counted, isEnough);
  return { count: Math.min(most, count), isComplete: isComplete || isEnough() };
}
