// The card form of an open page, with the problems of the last submission. It never sends card data back.

import type { PayPage } from "@/server/domains/payments/operations/view";
import { type Html, html } from "@/server/kit/html";
import { cardFieldset, declineText, labels, note, testHint } from "./card-fields";
import { cardFields, type FormProblem, fieldOf } from "./form-problems";
import { byChoice, type Picked, partChoice } from "./part-form";
import type { Reader } from "./reader";
import { payerFields, type TypedUse } from "./use-form";

/** Where the form is posted to, and what was sent before. */
interface Sent {
  path: string;
  problems: readonly FormProblem[];
  picked: Picked | null;
  typed: TypedUse | null;
  notMine: string;
}

/** The card form, posted to `path`. */
export function cardForm(page: PayPage, reader: Reader, { path, problems, picked, typed, notMine }: Sent): Html {
  const { link } = reader;
  return html`
    <form method="post" action="${link(path)}" novalidate>
    <input type="hidden" name="form_token" value="${page.form_token}">
    ${page.link === null && partChoice(page, reader, problems, picked)}
    ${payerFields(page, reader, problems, { typed, notMine })}
    ${cardFieldset(page, reader, problems)}
    ${terms(page, reader)}
    <button class="button">${submitText(page, reader)}</button>
    ${testHint(page, reader)}
    </form>`;
}

/** What the payer agrees to, beyond paying once and now. */
export const terms = (page: PayPage, { t, money }: Reader): Html => html`
  ${page.subscription !== null && html`<p class="dim">${subscriptionTerms(page, page.subscription, { t, money })}</p>`}
  ${page.capture_method === "manual" && html`<p class="dim">${t("form.holdNote", { account: page.account_name })}</p>`}`;

/** That the card is stored, and when it is charged. */
function subscriptionTerms(
  { account_name: account, amount, currency }: PayPage,
  { trial_days: days, is_renewal: isRenewal }: NonNullable<PayPage["subscription"]>,
  { t, money }: Pick<Reader, "t" | "money">,
): string {
  if (days !== null) return t("form.trialNote", { account, days, amount: money(amount, currency) });
  return t(isRenewal ? "form.renewalNote" : "form.subscriptionNote", { account });
}

/** "Pay €39.00", and for a subscription what that pays for; "Authorize €39.00" if the card is charged later. */
function submitText(page: PayPage, { t, money }: Reader): string | Html {
  const { amount_due, currency, subscription, capture_method } = page;
  // The amount may still change with what is typed.
  const isTyped = page.link !== null && (page.link.custom_amount !== null || page.link.quantities.length > 0);
  if (isTyped) return t("part.submit");
  const fixed = byChoice(page, (amount) => t("form.submit", { amount: money(amount, currency) }));
  if (fixed !== null) return html`<span class="otherwise">${t("part.submit")}</span>${fixed}`;
  const amount = money(amount_due, currency);
  if (capture_method === "manual") return t("form.submitHold", { amount });
  if (subscription === null || subscription.is_renewal) return t("form.submit", { amount });
  if (subscription.trial_days !== null) return t("form.submitTrial");
  return t(`form.submitFirst.${subscription.interval}`, { amount, count: subscription.interval_count });
}

/** What the payer is asked to check: the card, the amount, or all that was entered. */
function titleOf(fields: readonly string[]): "title" | "titleAmount" | "titleUse" {
  if (fields.every((field) => field === "own_amount")) return "titleAmount";
  return fields.every((field) => (cardFields as readonly string[]).includes(field)) ? "title" : "titleUse";
}

/** What the notice needs to know of a page. */
type Refused = Pick<PayPage, "amount_due" | "currency" | "last_error_code"> & {
  /** Whether the form only stores the card. */
  isStoring: boolean;
};

/**
 * Why the payer sees the form again: invalid fields or a declined card. Screen readers read it first: it has the focus,
 * unless a field is wrong, which then has it.
 */
export function problemNotice(page: Refused, { t, money }: Reader, problems: readonly FormProblem[]): Html | null {
  const general = problems.find((problem) => fieldOf[problem] === undefined);
  const amount = money(page.amount_due, page.currency);
  if (general !== undefined) return note(html`<p>${t(`problem.${general}`, { amount })}</p>`);
  if (problems.length > 0) {
    const fields = [...new Set(problems.flatMap((problem) => fieldOf[problem] ?? []))];
    const entries = fields.map((field) => html`<li><a href="#${field}">${t(labels[field])}</a></li>`);
    return note(html`<h2>${t(`problem.${titleOf(fields)}`)}</h2><ul>${entries}</ul>`, false);
  }
  if (page.last_error_code === null) return null;
  const title = t(page.isStoring ? "declineStore.title" : "decline.title");
  return note(html`<h2>${title}</h2><p>${declineText(page.last_error_code, t, page.isStoring)}</p>`);
}
