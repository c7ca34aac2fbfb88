// GET /v1/auth/accounts: the organization's accounts, for admins and platform integrations.
import { rules } from "@/server/access/rules";
import { page } from "@/server/kit/fields";
import { countThrough, lookThrough } from "@/server/kit/look-through";
import { operation } from "@/server/kit/operation";
import { pageOf } from "@/server/kit/page";
import { exactly } from "@/server/kit/totals";
import { presentAccounts } from "../present";
import { account, listInput } from "../schema";
import { accountSource } from "../search-store";

export const listAccounts = operation({
  id: "accounts.list",
  summary: "List accounts",
  description:
    "Accounts of the organization, newest first. An API key that is bound to an account sees only that account.",
  access: rules["accounts.list"],
  effect: "read",
  rest: { method: "GET", path: "/v1/auth/accounts" },
  input: listInput,
  output: page(account),
  errors: { insufficient_permissions: 400, invalid_cursor: 400 },
  async run({ ctx, input, fail }) {
    const sources = [accountSource(ctx.db, ctx.scope, input)];
    return pageOf(ctx.runtime.keys, input, fail, {
      list: "accounts",
      rows: (position, limit) => lookThrough(ctx.request, sources, position, limit),
      total: () => exactly(countThrough(ctx.request, sources)),
      present: (rows) => presentAccounts(ctx, rows),
    });
  },
});
