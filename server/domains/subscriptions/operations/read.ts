// GET /v1/subscriptions and GET /v1/subscriptions/{subscription_id}; for the dashboard, the cycles of one.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { searchedAccounts, visibleAccount } from "@/server/domains/accounts/authorized-account";
import { inTurn } from "@/server/fairness/turns";
import { byChange, pageOfChanges } from "@/server/kit/change-pages";
import { page } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { lookThrough } from "@/server/kit/look-through";
import { operation } from "@/server/kit/operation";
import { pageOf } from "@/server/kit/page";
import { totalOf } from "@/server/kit/totals";
import { presentCycle, shownSubscription, shownSubscriptions } from "../present";
import { cycle, listInput, subscription, subscriptionId } from "../schema";
import { changedSubscriptions, subscriptionSources } from "../search-store";
import { cyclesOf, findSubscription, type SubscriptionRow } from "../store";

export const listSubscriptions = operation({
  id: "subscriptions.list",
  summary: "List subscriptions",
  description: "The subscriptions of the accounts that the caller may see, newest first.",
  access: rules["subscriptions.read"],
  time: "organization",
  effect: "read",
  rest: { method: "GET", path: "/v1/subscriptions", extension: true },
  input: listInput.extend(byChange),
  output: page(subscription),
  errors: { account_not_found: 400, invalid_cursor: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    if (input.account_id !== undefined) await visibleAccount(ctx, input.account_id, fail);
    const accounts = await searchedAccounts(ctx, input.account_id);
    const search = { organizationId: ctx.scope.organizationId, accounts, filters: input };
    const present = (rows: SubscriptionRow[]) => shownSubscriptions(ctx.db, rows);
    const { updated_from } = input;
    if (updated_from !== undefined) {
      const among = (ids: readonly string[]) => subscriptionSources(ctx.db, { ...search, ids });
      const list = { list: "subscriptions", within: changedSubscriptions, among, present };
      return pageOfChanges(ctx, { ...input, updated_from }, fail, list);
    }
    const sources = await inTurn(ctx.request, () => subscriptionSources(ctx.db, search));
    return pageOf(ctx.runtime.keys, input, fail, {
      list: "subscriptions",
      rows: (after, limit) => lookThrough(ctx.request, sources, after, limit),
      total: (filters) => totalOf(ctx, [...filters, accounts], sources),
      present,
    });
  },
});

export const getSubscription = operation({
  id: "subscriptions.get",
  summary: "Retrieve a subscription",
  description: "Its status, its current period, and the card that is charged.",
  access: rules["subscriptions.read"],
  time: "organization",
  effect: "read",
  rest: { method: "GET", path: "/v1/subscriptions/{subscription_id}", extension: true },
  input: z.strictObject({ subscription_id: subscriptionId }),
  output: subscription,
  errors: { subscription_not_found: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    const row = await findSubscription(ctx.db, ctx.scope, input.subscription_id);
    return row ? shownSubscription(ctx.db, row) : fail("subscription_not_found");
  },
});

export const subscriptionPeriods = operation({
  id: "subscriptions.cycles",
  summary: "The newest cycles of a subscription, with their payment requests",
  access: rules["subscriptions.read"],
  time: "organization",
  effect: "read",
  input: z.strictObject({ subscription_id: subscriptionId }),
  output: z.strictObject({ cycles: z.array(cycle) }),
  errors: { subscription_not_found: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    const row = await findSubscription(ctx.db, ctx.scope, input.subscription_id);
    if (!row) return fail("subscription_not_found");
    return { cycles: (await cyclesOf(ctx.db, row.id, limits.shownCycles)).map(presentCycle) };
  },
});
