// The pay page and the invoice of a payment request that somebody is writing: as they are once it is open. Stores nothing.
import { may } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import { visibleAccount } from "@/server/domains/accounts/authorized-account";
import type { Addressee } from "@/server/domains/customers/addressee";
import { findAddressee, survivorOf } from "@/server/domains/customers/make";
import { type CustomerRow, findCustomer, readCustomer } from "@/server/domains/customers/store";
import { organizationById } from "@/server/domains/organizations/organization";
import type { ReadContext } from "@/server/kit/context";
import { dayOf } from "@/server/kit/day-bounds";
import { operation } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { columnsOf, expiryOf } from "../content";
import { timezoneOf } from "../due-date";
import { shownContent, shownInvoice } from "../input-schema";
import { issuedInvoice, presentIssued } from "../invoices/issued";
import { invoiceRecord } from "../invoices/record";
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
      ...{
        id: "",
        livemode: organization.mode === "live",
        customer: null,
        draft: null,
        successUrl: null,
        cancelUrl: null,
      },
      expiresAt: expiryOf(content, ctx.now),
      ...{
        ...{ amountPaid: 0, amountReopened: 0, amountLost: 0 },
        amountWaived: columns.isTrial ? columns.amountWaived : 0,
        amountRefunded: 0,
        amountChargedBack: 0,
        disputeStatus: "none",
        lastError: null,
      },
      ...{ usesCount: 0, usesReserved: 0, pausedAt: null, parentPaymentId: null, place: null },
      ...{
        paidAt: null,
        viewedAt: null,
        linkRequestedAt: null,
        linkRequestMailId: null,
        canceledAt: null,
        failedAt: null,
        extendedAt: null,
        cardsAllowedAt: null,
      },
      ...{ customerId: null, invoiceNumber: null, pdfProblem: null },
    };
    // Nothing in the preview works, so its form needs no token that we would accept.
    const form = { formToken: "", newLink: null, actionUrl: null };
    const shown = shownUse(payment, []);
    return {
      ...presentPage({ payment: shown, account, known: { locale: null }, organization }, "open", form),
      ...presentParts(shown, { ...shown, attempts: [] }, ctx.now),
      ...{ cards_open_at: null, begun: null, credit_notes: [] },
      link: choiceOf(payment),
      read_at: iso(ctx.now),
    };
  },
});

export const previewInvoice = operation({
  id: "payments.previewInvoice",
  summary: "Preview an invoice",
  description: "Its number is empty: only what is final has one.",
  access: rules["payments.create"],
  time: "organization",
  effect: "read",
  input: shownInvoice,
  output: issuedInvoice,
  errors: { invalid_request: 400, amount_mismatch: 400, account_not_found: 400 },
  async run({ ctx, input: { account_id, customer: given, ...content }, fail }) {
    const account = await visibleAccount(ctx, account_id, fail);
    const organization = await organizationById(ctx.db, account.organizationId);
    // Nothing is asked for as long as no amount was typed.
    const amount = content.amount ?? (content.line_items?.length ? null : 0);
    const timezone = await timezoneOf(ctx.db, account);
    const columns = columnsOf({ ...content, amount }, { timezone, now: ctx.now }, fail);
    const issueDate = columns.invoice?.issue_date ?? dayOf(iso(ctx.now), timezone);
    const customer = given ? await addresseeOf(ctx, account.id, given) : null;
    const snapshot = given ? snapshotOf(given, customer) : null;
    const payment = { ...columns, customer: snapshot };
    return presentIssued({
      payment: { pdfProblem: null, livemode: organization.mode === "live", locale: columns.locale },
      ...{ account, known: customer, organization },
      issued: {
        record: invoiceRecord({ account, payment, customer, number: "", issueDate, timezone }),
        createdAt: ctx.now,
      },
    });
  },
});

/** The account's customer that the invoice would be addressed to, if there is one and the caller may read customers. */
async function addresseeOf(
  { db, actor, scope }: ReadContext,
  accountId: string,
  { customer_id: id, email = null, reference = null }: Addressee,
): Promise<CustomerRow | null> {
  if (!may("customers.read", actor)) return null;
  const named =
    id === undefined ? await findAddressee(db, accountId, { email, reference }) : await findCustomer(db, scope, id);
  const current = named && (named.mergedInto === null ? named : await readCustomer(db, survivorOf(named)));
  return current?.accountId === accountId && current.erasedAt === null ? current : null;
}

/** What is left out is taken from the customer only if it is named by its id. */
function snapshotOf(given: Addressee, customer: CustomerRow | null) {
  const known = given.customer_id === undefined ? null : customer;
  const { name = known?.name, email = known?.email, reference = known?.reference } = given;
  return { name: name ?? null, email: email ?? null, reference: reference ?? null, metadata: {} };
}
