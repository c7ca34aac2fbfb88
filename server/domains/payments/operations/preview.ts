// The pay page of a payment request that somebody is writing: the same content as once it is open. Stores nothing.
import { rules } from "@/server/access/rules";
import { visibleAccount } from "@/server/domains/accounts/authorized-account";
import { organizationById } from "@/server/domains/organizations/organization";
import { operation } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { columnsOf, expiryOf } from "../content";
import { timezoneOf } from "../due-date";
import { shownContent } from "../input-schema";
import { choiceOf, shownUse } from "../links/link-view";
import type { LinkedPage } from "../page-store";
import { payPage, presentPage, presentParts } from "./view";

export const previewPayment = operation({
  id: "payments.preview",
  summary: "Preview a pay page",
  access: rules["payments.create"],
  time: "organization",
  effect: "read",
  input: shownContent,
  output: payPage,
  errors: { invalid_request: 400, amount_mismatch: 400, account_not_found: 400 },
  async run({ ctx, input: { account_id, ...content }, fail }) {
    const account = await visibleAccount(ctx, account_id, fail);
    const organization = await organizationById(ctx.db, account.organizationId);
    // Nothing is asked for as long as no amount was typed.
    const amount = content.amount ?? (content.line_items?.length ? null : 0);
    const setting = { timezone: await timezoneOf(ctx.db, account), now: ctx.now };
    const columns = columnsOf({ ...content, amount }, setting, fail);
    const payment: LinkedPage["payment"] = {
      ...{ ...columns, isRenewal: false },
      ...{ id: "", livemode: organization.mode === "live", customer: null, draft: null, successUrl: null },
      expiresAt: expiryOf(content, ctx.now),
      ...{
        amountPaid: 0,
        amountWaived: columns.isTrial ? columns.amount : 0,
        amountRefunded: 0,
        amountDisputed: 0,
        disputeStatus: "none",
        lastError: null,
      },
      ...{ usesCount: 0, usesReserved: 0, parentPaymentId: null, place: null },
      ...{
        paidAt: null,
        viewedAt: null,
        linkRequestedAt: null,
        linkRequestMailId: null,
        canceledAt: null,
        failedAt: null,
      },
      ...{ customerId: null, invoiceNumber: null, pdfProblem: null },
    };
    // Nothing in the preview works, so its form needs no token that we would accept.
    const form = { formToken: "", newLink: null, actionUrl: null };
    const shown = shownUse(payment, []);
    return {
      ...presentPage({ payment: shown, account, organization }, "open", form),
      ...presentParts(shown, { ...shown, attempts: [] }, ctx.now),
      ...{ begun: null, credit_notes: [] },
      link: choiceOf(payment),
      read_at: iso(ctx.now),
    };
  },
});
