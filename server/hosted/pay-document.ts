// The pay page of a known link, in each of its states.

import { creditNoteFile, creditNotePage } from "@/server/domains/payments/invoices/credit-note-out";
import { invoiceFile } from "@/server/domains/payments/link";
import type { PayPage, PayPageState } from "@/server/domains/payments/operations/view";
import { type Html, html } from "@/server/kit/html";
import { cardForm, problemNotice } from "./card-form";
import { cardScript } from "./card-script";
import { confirmForm, confirmNotice } from "./confirm-form";
import type { FormProblem } from "./form-problems";
import { type Document, frame, type Mark, state } from "./frame";
import { headline } from "./headline";
import { lastPayment, receiptOf } from "./last-payment";
import { ownAmountScript } from "./own-amount-script";
import { installmentList, type Picked, pickedQuery } from "./part-form";
import type { Reader } from "./reader";
import { meansName } from "./receipt-facts";
import {
  backLink,
  deadline,
  description,
  facts,
  fitsHeading,
  foldedFacts,
  headlineAmount,
  keptOf,
  list,
  paidFacts,
  sender,
} from "./summary";
import type { TypedUse } from "./use-form";
import { viewScript } from "./view-script";

/** Where to confirm an attempt, and the form token to abandon it. */
export interface Confirmation {
  url: string;
  leaveToken: string;
}

/** How the payer came to the page, according to its address. */
export interface Visit {
  /** The page's own path. */
  path: string;
  problems: readonly FormProblem[];
  /** What the payer chose to pay before. */
  picked: Picked | null;
  /** What the payer of a reusable link typed before. */
  typed: TypedUse | null;
  /** The amount in minor units that the payer of a reusable link is asked to confirm; null without. */
  unconfirmed: number | null;
  /** The ids of the payments begun in this browser that are somebody else's, as the query has them; of a reusable link. */
  notMine: string;
  /** For a payment that waits for confirmation: where to confirm it, and the form token to abandon it. */
  confirmation: Confirmation | null;
  /** In the state `expired`: the form token to ask for a new link; null once that has been done. */
  askToken: string | null;
  /** How often the page has reloaded itself. */
  checks: number;
  /** Whether the page reports that it was seen. */
  reportsView: boolean;
  /** Whether it is a preview, on which nothing can be typed. */
  isSample: boolean;
}

type ClosedState = Exclude<PayPageState, "open">;
type ShownState = ClosedState | "trial" | "returned";

/** The page in its current state. */
export function payDocument(page: PayPage, reader: Reader, visit: Visit): Document {
  const { t } = reader;
  const isOpen = page.state === "open" && page.form_token !== null;
  const heading = page.state === "open" ? t(`heading.${page.type}`) : t(`heading.${shownState(page, page.state)}`);
  const reportsView = isOpen && visit.reportsView;
  const isStoring = page.subscription?.trial_days != null;
  const { unconfirmed, problems } = visit;
  const notice = confirmNotice(page, reader, visit) ?? problemNotice({ ...page, isStoring }, reader, problems);
  const problem = isOpen ? notice : null;
  const title = t("title", { heading, account: page.account_name });
  return frame({
    title: problem ? t("titleNotPaid", { title }) : title,
    reader,
    brandColor: page.brand_color,
    isTest: !page.livemode,
    hasLogo: page.logo_path !== null,
    contact: page,
    body: isOpen
      ? openBody(page, heading, problem, reader, visit)
      : closedBody(page, page.state === "open" ? "unavailable" : page.state, reader, visit),
    refresh: page.state === "processing" ? refreshAfter(visit.checks, reader) : null,
    script:
      isOpen && !visit.isSample
        ? `${cardScript}${page.own_amount === null ? "" : ownAmountScript}${reportsView ? viewScript : ""}`
        : null,
    mayConnect: reportsView,
    query: {
      ...(problems.length > 0 && unconfirmed === null && { problem: problems.join(",") }),
      ...(isOpen && pickedQuery(visit.picked)),
      ...(isOpen && visit.notMine !== "" && { not_mine: visit.notMine }),
    },
  });
}

/** The amount first, then what it is for. The problem is next to the form that it is about. */
function openBody(page: PayPage, heading: string, problem: Html | null, reader: Reader, visit: Visit): Html {
  const isShort = page.description !== null && fitsHeading(page.description);
  const last = visit.problems.length === 0 && lastPayment(page, reader, visit.path);
  // The note below says what the bank took back, and the same of a single payment.
  const isPaidSaid = [keptOf(page), page.amount_paid].includes(page.last_payment?.amount ?? 0);
  const unsaid = { ...page, amount_paid: isPaidSaid ? 0 : keptOf(page), amount_charged_back: 0 };
  return html`
    <div class="part">${sender(page, reader)}
    ${headline(page, reader, visit.unconfirmed)}
    ${page.subscription?.trial_days != null && html`<p>${reader.t("trial", { days: page.subscription.trial_days })}</p>`}
    <h1>${isShort ? page.description : heading}</h1>
    ${!isShort && description(page, reader)}
    ${deadline(page, reader)}
    ${foldedFacts(last ? unsaid : page, reader)}
    ${paperLinks(page, reader, visit.path)}</div>
    ${installmentList(page, reader)}
    ${last}
    ${problem}
    <div class="part">${confirmForm(page, reader, visit) ?? cardForm(page, reader, visit)}
    ${page.cancel_url !== null && html`<p class="dim"><a href="${page.cancel_url}" rel="noreferrer">${reader.t("back", { site: new URL(page.cancel_url).host })}</a></p>`}</div>`;
}

/** The files of an invoice and its credit notes, or their pages if they have none. */
const paperLinks = (
  { invoice_number: number, has_pdf: hasPdf, credit_notes: notes }: PayPage,
  { t, link }: Reader,
  path: string,
): Html | null =>
  number === null
    ? null
    : html`<p><a href="${link(`${path}/${hasPdf ? invoiceFile : "invoice"}`)}">${t(hasPdf ? "invoice.open" : "invoice.title", { number })}</a>${notes.map(
        (note) =>
          html`<br><a href="${link(`${path}/${note.has_pdf ? creditNoteFile(note.id) : creditNotePage(note.id)}`)}">${t(note.has_pdf ? "creditNote.open" : "creditNote.title", { number: note.number })}</a>`,
      )}</p>`;

const marks: Record<ShownState, Mark> = {
  processing: "busy",
  requires_action: "lock",
  paid: "good",
  trial: "good",
  authorized: "good",
  failed: "wrong",
  refunded: "back",
  partially_refunded: "back",
  returned: "back",
  disputed: "busy",
  expired: "over",
  canceled: "over",
  used_up: "over",
  taken: "busy",
  link_paused: "busy",
  unavailable: "over",
};

/** States in which nothing is due, so only what was paid before is shown. */
const isOver: readonly ClosedState[] = ["expired", "canceled", "used_up", "taken", "link_paused"];

/** States in which money has moved, and the payer may continue to the merchant's site. */
const isDone: readonly ClosedState[] = ["paid", "authorized"];

function closedBody(page: PayPage, closed: ClosedState, reader: Reader, visit: Visit): Html {
  const { path, confirmation, askToken } = visit;
  const { t, money, instant } = reader;
  const amount = money(page.amount_refunded + page.amount_charged_back, page.currency);
  const shown = shownState(page, closed);
  const values = { account: page.account_name, amount, time: instant(page.cards_open_at ?? page.read_at) };
  const text = shown === "failed" && page.cards_open_at !== null ? "paused" : shown;
  return html`${state(marks[shown], t(`heading.${shown}`), t(`text.${text}`, values))}
    ${closed === "requires_action" && confirmation !== null && confirmationBody(confirmation, path, reader)}
    ${closed === "expired" && askBody(page, askToken, path, reader)}
    ${closed !== "unavailable" && closedDetails(page, closed, reader, path)}
    ${nextLinks(page, closed, reader, path)}`;
}

/**
 * What the page says of the state: nothing was paid where a trial begins, and what the bank took back is not a refund.
 * Who has paid it again is thanked.
 */
function shownState(page: PayPage, closed: ClosedState): ShownState {
  if (closed === "paid" && page.subscription?.trial_days != null) return "trial";
  const isBack = closed === "refunded" || closed === "partially_refunded";
  if (!isBack || page.amount_charged_back === 0) return closed;
  return page.is_paid_again ? "paid" : "returned";
}

/** Links to the bank, or back to the form. */
const confirmationBody = ({ url, leaveToken }: Confirmation, path: string, { t, link }: Reader): Html => html`
  <div class="part acts"><a class="button" href="${url}">${t("action.continue")}</a>
  <form method="post" action="${link(path)}">
  <input type="hidden" name="form_token" value="${leaveToken}">
  <button class="button outline" name="act" value="leave">${t("action.another")}</button></form></div>`;

/** The button that asks for a new link, or that this has been done, and whether a mail says so. */
const askBody = (page: PayPage, askToken: string | null, path: string, { t, link }: Reader): Html | false =>
  askToken === null
    ? (page.new_link === "requested" || page.new_link === "noted") &&
      html`<p class="part" role="status">${t(`ask.${page.new_link}`, { account: page.account_name })}</p>`
    : html`
  <div class="part acts"><form method="post" action="${link(path)}">
  <input type="hidden" name="form_token" value="${askToken}">
  <button class="button" name="act" value="ask">${t("ask.submit")}</button></form></div>`;

/** States of a payment request that was paid, whatever was returned since. */
const paidStates: readonly ClosedState[] = ["paid", "refunded", "partially_refunded", "disputed"];

/** What the payment was for. */
function closedDetails(page: PayPage, closed: ClosedState, reader: Reader, path: string): Html {
  const { t, instant } = reader;
  const isPaid = paidStates.includes(closed);
  const asked = page.attempt_amount ?? (page.amount_due || page.amount);
  const paid = keptOf(page) > 0 && shownState(page, closed) !== "returned" ? keptOf(page) : page.amount_paid;
  const amount = isPaid && page.amount_paid > 0 ? paid : asked;
  return html`<div class="part">${sender(page, reader)}
    ${description(page, reader)}
    ${!isOver.includes(closed) && page.subscription?.trial_days == null && headlineAmount(amount, page.currency, reader)}
    ${isPaid && page.paid_at !== null && html`<p class="dim">${t("paidOn", { date: instant(page.paid_at) })}${paidBy(page, amount, reader)}</p>`}
    ${isOver.includes(closed) ? list(paidFacts(page, reader)) : facts(page, reader)}
    ${paperLinks(page, reader, path)}</div>
    ${installmentList(page, reader)}`;
}

/** How it was paid, if by one payment of which that is known. */
function paidBy({ last_payment: last }: PayPage, amount: number, { t }: Reader): string {
  const name = last?.amount === amount ? meansName(last, t) : null;
  return name === null ? "" : ` · ${name}`;
}

/** Links to what the reader may do next. */
function nextLinks(page: PayPage, closed: ClosedState, reader: Reader, path: string): Html | null {
  const { t } = reader;
  const back = isDone.includes(closed) ? page.success_url : null;
  const links = [
    back !== null && backLink(back, t),
    page.amount_paid > 0 && html`<a class="button outline" href="${receiptOf(path, reader)}">${t("viewReceipt")}</a>`,
  ].filter((link) => link !== false);
  return links.length === 0 ? null : html`<div class="part acts">${links}</div>`;
}

const delays = [3, 3, 5, 8, 15, 30, 60];

/** A page in progress reloads itself, at growing intervals. */
export function refreshAfter(checks: number, { link }: Reader): string {
  const seconds = delays[Math.min(checks, delays.length - 1)] ?? 60;
  return `${seconds}; url=${link("", { check: String(Math.min(checks + 1, delays.length)) })}`;
}
