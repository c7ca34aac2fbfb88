// Lists the caller's own accounts, open and closed: a member's counterpart to the list of all accounts.
import { rules } from "@/server/access/rules";
import { page } from "@/server/kit/fields";
import { userOf } from "@/server/kit/identity";
import { countThrough, lookThrough } from "@/server/kit/look-through";
import { operation } from "@/server/kit/operation";
import { pageOf } from "@/server/kit/page";
import { exactly } from "@/server/kit/totals";
import { presentAccounts } from "../present";
import { account, listInput } from "../schema";
import { accountSource } from "../search-store";

export const listOwnAccounts = operation({
  id: "accounts.own",
  summary: "List the caller's own accounts",
  access: rules["accounts.own"],
  effect: "read",
  input: listInput,
  output: page(account),
  errors: { insufficient_permissions: 400, invalid_cursor: 400 },
  async run({ ctx, input, fail }) {
    const { userId } = userOf(ctx.actor) ?? fail("insufficient_permissions");
    const scope = { ...ctx.scope, ownerUserId: userId };
    const sources = [accountSource(ctx.db, scope, input)];
    return pageOf(ctx.runtime.keys, input, fail, {
      list: "accounts.own",
      rows: (position, limit) => lookThrough(ctx.request, sources, position, limit),
      total: () => exactly(countThrough(ctx.request, sources)),
      present: (rows) => presentAccounts(ctx, rows),
    });
  },
});
