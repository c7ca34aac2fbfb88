// GET /v1/mails: the mails that the caller sees, newest first.
import * as z from "zod";
import { mailKinds, mailStatuses } from "@/db/schema/values";
import { rules } from "@/server/access/rules";
import { searchedAccounts, visibleAccount } from "@/server/domains/accounts/authorized-account";
import { mail, presentMail } from "@/server/domains/mails/schema";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { lookThrough } from "@/server/kit/look-through";
import { operation } from "@/server/kit/operation";
import { pageOf } from "@/server/kit/page";
import { totalOf } from "@/server/kit/totals";
import { kindsSeenBy } from "../kinds";
import { mailSources } from "../store";

export const mailQuery = z.strictObject({
  account_id: fields.id("acct", "Only mails of this account.").optional(),
  kind: fields.anyOf(mailKinds).optional(),
  status: fields.anyOf(mailStatuses).optional(),
  q: z
    .string()
    .min(1)
    .max(limits.email)
    .optional()
    .meta({ description: "The beginning of the recipient's address, in any case.", example: "grace@" }),
  payment_id: fields.id("pay", "Only mails about this payment request.").optional(),
  created_from: fields.instantOrDay.optional().meta({ description: "Inclusive; a bare date is midnight UTC." }),
  created_to: fields.instantOrDay.optional().meta({ description: "Exclusive; a bare date is midnight UTC." }),
  ...fields.listParameters,
});

export const listMails = operation({
  id: "mails.list",
  summary: "List mails",
  description:
    "Mails about payments of the accounts that the caller may see, newest first. Admins and API keys for the whole " +
    "organization also see mails to users.",
  access: rules["mails.read"],
  effect: "read",
  rest: { method: "GET", path: "/v1/mails", extension: true },
  input: mailQuery,
  output: fields.page(mail),
  errors: { account_not_found: 400, invalid_cursor: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    if (input.account_id !== undefined) await visibleAccount(ctx, input.account_id, fail);
    const { kind = mailKinds, status, q: to, payment_id: paymentId, created_from: from, created_to: until } = input;
    const seen = kindsSeenBy(ctx.actor);
    const kinds = kind.filter((each) => seen.includes(each));
    const accounts = await searchedAccounts(ctx, input.account_id);
    const search = { organizationId: ctx.scope.organizationId, accounts, kinds, status, to, paymentId, from, until };
    const sources = kinds.length === 0 ? [] : await mailSources(ctx.db, search);
    return pageOf(ctx.runtime.keys, input, fail, {
      list: "mails",
      rows: (position, limit) => lookThrough(ctx.request, sources, position, limit),
      total: (filters) => totalOf(ctx, [...filters, accounts, kinds], sources),
      present: (rows) => rows.map((row) => presentMail(row, ctx.actor)),
    });
  },
});
