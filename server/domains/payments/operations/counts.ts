// How many payment requests each tab of the dashboard's list has.
import * as z from "zod";
import { paymentStatuses } from "@/db/schema/values";
import { rules } from "@/server/access/rules";
import { searchedAccounts, visibleAccount } from "@/server/domains/accounts/authorized-account";
import { inTurn } from "@/server/fairness/turns";
import { limits } from "@/server/kit/limits";
import { edgeOf } from "@/server/kit/look-through";
import { operation } from "@/server/kit/operation";
import type { PaymentStatus } from "../rules";
import { paymentFilters } from "../schema";
import { sourcesOf } from "../search-store";
import { tabs } from "../status-tabs";
import { withSurvivor } from "../survivor";

const number = z.int().min(0);

export const countPayments = operation({
  id: "payments.counts",
  summary: "Count payment requests by status",
  description: "If there are very many, only the newest are counted.",
  access: rules["payments.read"],
  effect: "read",
  input: paymentFilters.omit({ status: true }),
  output: z.strictObject({
    open: number,
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
    const late = await inTurn(ctx.request, () =>
      sourcesOf(ctx.db, { ...search, filters: { ...filters, overdue: true } }),
    );
    const lateUntil = await inTurn(ctx.request, () => edgeOf(late, null, limits.tabsCounted));
    let overdue = 0;
    for (const source of late) {
      overdue += await inTurn(ctx.request, () => source.count({ after: null, until: lateUntil }));
    }
    const counts: ReadonlyMap<PaymentStatus, number>[] = [];
    for (const source of sources) {
      counts.push(await inTurn(ctx.request, () => source.countByStatus({ after: null, until })));
    }
    const of = (statuses: readonly PaymentStatus[]) =>
      counts.reduce((sum, one) => sum + statuses.reduce((own, status) => own + (one.get(status) ?? 0), 0), 0);
    return {
      open: of(tabs.open),
      to_capture: of(tabs.to_capture),
      paid: of(tabs.paid),
      expired: of(tabs.expired),
      canceled: of(tabs.canceled),
      all: of(paymentStatuses),
      is_complete: until === null,
      overdue,
      is_overdue_complete: lateUntil === null,
    };
  },
});
