// Resolves account ids to names, for lists whose records belong to several accounts.
import * as z from "zod";
import { accountStatuses } from "@/db/schema/values";
import { rules } from "@/server/access/rules";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { accountId } from "../schema";
import { findAccountNames } from "../search-store";

export const accountNames = operation({
  id: "accounts.names",
  summary: "Names of accounts",
  description: "Those of the given ids that the caller sees.",
  access: rules["accounts.read"],
  effect: "read",
  input: z.strictObject({ account_ids: z.array(accountId).max(limits.selection) }),
  output: z.strictObject({
    data: z.array(
      z.strictObject({ account_id: z.string(), account_name: z.string(), status: z.enum(accountStatuses) }),
    ),
  }),
  errors: {},
  async run({ ctx, input }) {
    const rows = await findAccountNames(ctx.db, ctx.scope, input.account_ids);
    return { data: rows.map(({ id, name, status }) => ({ account_id: id, account_name: name, status })) };
  },
});
