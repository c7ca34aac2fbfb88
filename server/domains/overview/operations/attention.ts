// What will need attention soon: how many of each kind, for the home page.
import * as z from "zod";
import { pauseReasons } from "@/db/schema/values";
import { may } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import { searchedAccounts } from "@/server/domains/accounts/authorized-account";
import type { PaymentFilters } from "@/server/domains/payments/filters";
import { sourcesOf as requestSources } from "@/server/domains/payments/search-store";
import { filtersOfTab, tabs } from "@/server/domains/payments/status-tabs";
import type { SubscriptionFilters } from "@/server/domains/subscriptions/schema";
import { subscriptionSources } from "@/server/domains/subscriptions/search-store";
import type { TransactionFilters } from "@/server/domains/transactions/schema";
import { sourcesOf as transactionSources } from "@/server/domains/transactions/search";
import { inTurn } from "@/server/fairness/turns";
import type { ReadContext } from "@/server/kit/context";
import { timestamp } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import type { Source, Stretch } from "@/server/kit/look-through";
import { operation } from "@/server/kit/operation";
import type { Position } from "@/server/kit/page";
import { iso } from "@/server/process/clock";
import { countAdminsWithoutFactor, countInDebt, countOrphaned } from "../attention-store";
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
    overdue: number.describe("Payment requests whose due date has passed while something is due."),
    lapsing: number.describe("Authorized payment requests that lapse before then."),
    expiring: number.describe("Open payment requests that expire before then."),
    many_declines: number.describe("Reusable links on which many card payments failed within an hour."),
    over_limit: number.describe("Payers of reusable links beyond the limit."),
    link_requests: number.describe("Expired payment requests whose customers asked for a new link."),
    reminders_waiting: number.describe("Payment requests with a planned reminder that has waited for more than a day."),
    past_due: number.describe("Subscriptions of which a renewal is not paid."),
    to_resume: number.describe("Subscriptions that wait, although no call paused them, until somebody resumes them."),
    missed: number.describe("Subscriptions of which a period passed before it was charged, and is not paid."),
    unanswered: number.describe("Transactions about which a provider has owed an answer for too long."),
    is_complete: z
      .boolean()
      .describe(
        "False if not all payment requests and transactions could be looked at and fewer than the maximum were found.",
      ),
    lost_disputes: number.describe("Payment requests of which a lost dispute took something, and nobody has decided."),
    paid_late: number.describe("Payment requests that were paid after their end, and nobody has decided."),
    open_disputes: number.describe("Payments that their customers dispute."),
    accounts_in_debt: number.describe("Accounts that a dispute took below zero, closed ones too."),
    orphaned_accounts: number,
    admins_without_factor: number,
  }),
  errors: {},
  async run({ ctx }) {
    const { actor, db, scope } = ctx;
    const endsBefore = ctx.now + limits.overview.soonMs;
    const accounts = await searchedAccounts(ctx, undefined);
    const requests = (filters: PaymentFilters) => countRequests(ctx, accounts, filters);
    const overdue = await requests({ overdue: true });
    const lapsing = await requests({ status: [...tabs.to_capture], ends_before: endsBefore });
    const expiring = await requests({ ...filtersOfTab.open, ends_before: endsBefore });
    const declines = await requests({ many_declines: true });
    const overLimit = await requests({ over_limit: true });
    const lost = await requests({ disputed_lost: true });
    const late = await requests({ paid_late: true });
    const asked = await requests({ link_requested: true });
    const waiting = await requests({ reminder_waiting: true });
    const pastDue = await countSubscriptions(ctx, accounts, { status: ["past_due"] });
    const toResume = await countSubscriptions(ctx, accounts, { pause_reason: [...pauseReasons] });
    const missed = await countSubscriptions(ctx, accounts, { missed: true });
    const unanswered = await countTransactions(ctx, accounts, { unanswered: true });
    const disputed = await countTransactions(ctx, accounts, { status: ["disputed"] });
    const counted = [
      ...[overdue, lapsing, expiring, declines, overLimit, lost, late, asked, waiting],
      ...[pastDue, toResume, missed, unanswered, disputed],
    ];
    return {
      past_due: pastDue.count,
      to_resume: toResume.count,
      missed: missed.count,
      unanswered: unanswered.count,
      over_limit: overLimit.count,
      ...{ lost_disputes: lost.count, paid_late: late.count },
      link_requests: asked.count,
      reminders_waiting: waiting.count,
      many_declines: declines.count,
      ends_before: iso(endsBefore),
      overdue: overdue.count,
      lapsing: lapsing.count,
      expiring: expiring.count,
      is_complete: counted.every(({ isComplete }) => isComplete),
      open_disputes: disputed.count,
      accounts_in_debt: await countInDebt(db, { organizationId: scope.organizationId, accountIds: accounts }, most),
      orphaned_accounts: may("accounts.list", actor) ? await countOrphaned(db, scope.organizationId, most) : 0,
      admins_without_factor: may("users.list", actor)
        ? await countAdminsWithoutFactor(db, scope.organizationId, most)
        : 0,
    };
  },
});

type AccountIds = readonly string[] | null;

interface Counted {
  count: number;
  isComplete: boolean;
}

/** The payment requests that match: at most `most`. */
async function countRequests(ctx: ReadContext, accounts: AccountIds, filters: PaymentFilters): Promise<Counted> {
  const search = { organizationId: ctx.scope.organizationId, accounts, filters, now: ctx.now };
  return countThrough(ctx, await inTurn(ctx.request, () => requestSources(ctx.db, search)));
}

/** The transactions that match: at most `most`. */
async function countTransactions(
  ctx: ReadContext,
  accounts: AccountIds,
  filters: TransactionFilters,
): Promise<Counted> {
  const search = { organizationId: ctx.scope.organizationId, accounts, filters, now: ctx.now };
  return countThrough(ctx, await inTurn(ctx.request, () => transactionSources(ctx.db, search)));
}

/** The subscriptions that match: at most `most`. */
async function countSubscriptions(
  ctx: ReadContext,
  accounts: AccountIds,
  filters: SubscriptionFilters,
): Promise<Counted> {
  const search = { organizationId: ctx.scope.organizationId, accounts, filters };
  return countThrough(ctx, await inTurn(ctx.request, () => subscriptionSources(ctx.db, search)));
}

async function countThrough(
  ctx: ReadContext,
  sources: readonly Pick<Source<Position>, "edge" | "count">[],
): Promise<Counted> {
  let count = 0;
  const counted = async (source: (typeof sources)[number], stretch: Stretch) => {
    count += await source.count(stretch);
    return [];
  };
  const isEnough = () => count >= most;
  const { isComplete } = await totalThrough(ctx.request, sources, null, counted, isEnough);
  return { count: Math.min(most, count), isComplete: isComplete || isEnough() };
}
