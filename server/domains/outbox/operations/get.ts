// GET /v1/mails/{mail_id}: one mail with its text and HTML.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { fullMail, mailId, presentMail } from "@/server/domains/mails/schema";
import { operation } from "@/server/kit/operation";
import { kindsSeenBy } from "../kinds";
import { findMail } from "../store";

export const getMail = operation({
  id: "mails.get",
  summary: "Retrieve a mail",
  description: "With both bodies. Where a secret link goes, they have a placeholder.",
  access: rules["mails.read"],
  effect: "read",
  rest: { method: "GET", path: "/v1/mails/{mail_id}", extension: true },
  input: z.strictObject({ mail_id: mailId }),
  output: fullMail,
  errors: { mail_not_found: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    const row = await findMail(ctx.db, ctx.scope, kindsSeenBy(ctx.actor), input.mail_id);
    return row ? { ...presentMail(row, ctx.actor), text: row.text, html: row.html } : fail("mail_not_found");
  },
});
