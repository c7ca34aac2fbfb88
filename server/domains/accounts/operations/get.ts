// GET /v1/accounts/{account_id}: one account with its balances.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { operation } from "@/server/kit/operation";
import { visibleAccount } from "../authorized-account";
import { presentAccount } from "../present";
import { accountTag } from "../rules";
import { account, accountId } from "../schema";

export const getAccount = operation({
  id: "accounts.get",
  summary: "Retrieve an account",
  description: "The account with its balances in every currency that it has had.",
  access: rules["accounts.read"],
  effect: "read",
  rest: { method: "GET", path: "/v1/accounts/{account_id}", extension: true, etag: accountTag },
  input: z.strictObject({ account_id: accountId }),
  output: account,
  errors: { account_not_found: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    return presentAccount(ctx, await visibleAccount(ctx, input.account_id, fail));
  },
});
