// The caller's own accounts, open and closed: what a member sees where an admin sees the organization's.
import { rules } from "../access/rules";
import { page } from "../kit/fields";
import { operation } from "../kit/operation";
import { pageOf } from "../kit/page";
import { presentAccounts } from "./present";
import { account, listInput } from "./schema";
import { countAccounts, listAccounts } from "./store";

export const listOwnAccounts = operation({
  id: "accounts.own",
  summary: "List the caller's own accounts",
  access: rules["accounts.own"],
  effect: "read",
  input: listInput,
  output: page(account),
  errors: { insufficient_permissions: 400, invalid_cursor: 400 },
  async run({ ctx, input, fail }) {
    if (ctx.actor.type !== "user") return fail("insufficient_permissions");
    const scope = { ...ctx.scope, ownerUserId: ctx.actor.userId };
    return pageOf(ctx.runtime.keys, input, fail, {
      list: "accounts.own",
      rows: (position, limit) => listAccounts(ctx.db, scope, input, position, limit),
      count: () => countAccounts(ctx.db, scope, input),
      present: (rows) => presentAccounts(ctx.db, rows),
    });
  },
});
