// How many of the payment requests in sight stand in each tab of their list, for the dashboard.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { visibleAccount } from "@/server/accounts/find";
import { operation } from "@/server/kit/operation";
import { paymentFilters } from "./schema";
import { countByStatus, searchedAccounts } from "./search-store";
import { type Tab, tabs } from "./tabs";

const number = z.int().min(0);

export const countRequests = operation({
  id: "payments.counts",
  summary: "Count payment requests by how they stand",
  access: rules["payments.read"],
  effect: "read",
  input: paymentFilters.omit({ status: true }),
  output: z.strictObject({ open: number, paid: number, expired: number, canceled: number, all: number }),
  errors: { account_not_found: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    if (input.account_id !== undefined) await visibleAccount(ctx, input.account_id, fail);
    const accounts = await searchedAccounts(ctx.db, ctx.scope, input.account_id);
    const search = { organizationId: ctx.scope.organizationId, accounts, filters: input, now: ctx.now };
    const counts = await countByStatus(ctx.db, search);
    const of = (tab: Tab) => tabs[tab].reduce((sum, status) => sum + (counts.get(status) ?? 0), 0);
    const all = [...counts.values()].reduce((sum, one) => sum + one, 0);
    return { open: of("open"), paid: of("paid"), expired: of("expired"), canceled: of("canceled"), all };
  },
});
