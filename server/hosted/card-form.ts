// The card form of an open page, with the problems of the last submission. It never sends card data back.

import type { PayPage } from "@/server/domains/payments/operations/view";
import { type Html, html } from "@/server/kit/html";
import { limits } from "@/server/kit/limits";
import { plainDigits } from "@/server/kit/plain-digits";
import { type CardField, cardFields, type FormProblem, fieldOf } from "./form-problems";
import { hasChoice, type Picked, partChoice } from "./part-form";
import type { Reader } from "./reader";
import { payerFields, type TypedUse } from "./use-form";

const labels = {
  own_amount: "part.own",
  quantities: "use.quantities",
  email: "use.email",
  name: "use.name",
  card_number: "form.number",
  expiry: "form.expiry",
  security_code: "form.code",
} as const;

interface Field {
  name: CardField;
  placeholder: string;
  maxLength: number;
  /** What the browser may fill in (HTML, autofill). */
  fill: "cc-number" | "cc-exp" | "cc-csc";
}

const testNumber = "4242 4242 4242 4242";

/** Where the form is posted to, and what was sent before. */
interface Sent {
  path: string;
  problems: readonly FormProblem[];
  picked: Picked | null;
  typed: TypedUse | null;
  notMine: string;
}

/** The card in a sent form. Digits may be full-width or Arabic, as some keyboards type them. */
export const cardIn = ({ card_number = "", expiry = "", security_code = "" }: Readonly<Record<string, string>>) => ({
  card_number: plainDigits(card_number),
  expiry: plainDigits(expiry),
  security_code: plainDigits(security_code),
});

/** The card form, posted to `path`. */
export function cardForm(page: PayPage, reader: Reader, { path, problems, picked, typed, notMine }: Sent): Html {
  const { t, link } = reader;
  const { number, expiry, code } = limits.cardForm;
  const wrong = problems.flatMap((problem) => fieldOf[problem] ?? []);
  // Other fields come before the card, and then have the focus.
  const isCard = wrong.every((name) => (cardFields as readonly string[]).includes(name));
  const firstWrong = isCard ? cardFields.find((name) => wrong.includes(name)) : undefined;
  const field = (shape: Field) => inputOf(shape, page, reader, { problems, firstWrong });
  const sample = page.livemode ? "1234 1234 1234 1234" : testNumber;
  return html`
    <form method="post" action="${link(path)}" novalidate>
    <input type="hidden" name="form_token" value="${page.form_token}">
    ${page.link === null && partChoice(page, reader, problems, picked)}
    ${payerFields(page, reader, problems, { typed, notMine })}
    <fieldset>
    <legend>${t("form.legend")}</legend>
    ${field({ name: "card_number", placeholder: sample, maxLength: number, fill: "cc-number" })}
    <div class="row">
    ${field({ name: "expiry", placeholder: t("form.expirySample"), maxLength: expiry, fill: "cc-exp" })}
    ${field({ name: "security_code", placeholder: "CVC", maxLength: code, fill: "cc-csc" })}
    </div>
    </fieldset>
    ${terms(page, reader)}
    <button class="button">${submitText(page, reader)}</button>
    ${!page.livemode && html`<p class="note hint">${around(t("form.testHelp", { number: slot }), html`<b>${testNumber}</b>`)}</p>`}
    </form>`;
}

/** What the payer agrees to, beyond paying once and now. */
const terms = (page: PayPage, { t, money }: Reader): Html => html`
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
function submitText(page: PayPage, { t, money }: Reader): string {
  const { amount_due, currency, subscription, capture_method } = page;
  // The amount may still change with what is typed.
  const isTyped = page.link !== null && (page.link.custom_amount !== null || page.link.quantities.length > 0);
  if (hasChoice(page) || isTyped) return t("part.submit");
  const amount = money(amount_due, currency);
  if (capture_method === "manual") return t("form.submitHold", { amount });
  if (subscription === null || subscription.is_renewal) return t("form.submit", { amount });
  if (subscription.trial_days !== null) return t("form.submitTrial");
  return t(`form.submitFirst.${subscription.interval}`, { amount, count: subscription.interval_count });
}

/** Marks where markup goes in a message. No text of ours or of an account contains it. */
const slot = "\u0000";

const around = (text: string, part: Html): Html => {
  const [before = "", after = ""] = text.split(slot);
  return html`${before}${part}${after}`;
};

interface Wrong {
  problems: readonly FormProblem[];
  firstWrong: CardField | undefined;
}

/** One field. In the sandbox the browser must not offer a real card, so its fields disable autofill. */
function inputOf(field: Field, { livemode }: PayPage, { t }: Reader, { problems, firstWrong }: Wrong): Html {
  const { name, placeholder, maxLength, fill } = field;
  const problem = problems.find((each) => fieldOf[each] === name);
  return html`
    <div>
    <label for="${name}">${t(labels[name])}</label>
    <input id="${name}" name="${name}" dir="ltr" inputmode="numeric" autocomplete="${livemode ? fill : "off"}" spellcheck="false" placeholder="${placeholder}" required maxlength="${maxLength}"${
      problem !== undefined && html` aria-describedby="${name}-note" aria-invalid="true"`
    }${name === firstWrong && html` autofocus`}>
    ${problem !== undefined && html`<span class="error" id="${name}-note">${t(`problem.${problem}`)}</span>`}
    </div>`;
}

const declines = [
  "card_declined",
  "insufficient_funds",
  "expired_card",
  "incorrect_cvc",
  "processing_error",
  "not_received",
  "card_velocity_exceeded",
  "authentication_failed",
  "authentication_abandoned",
  "authentication_expired",
] as const;

/**
 * Why the payer sees the form again: invalid fields or a declined card. Screen readers read it first: it has the focus,
 * unless a field is wrong, which then has it.
 */
export function problemNotice(page: PayPage, { t, money }: Reader, problems: readonly FormProblem[]): Html | null {
  const general = problems.find((problem) => fieldOf[problem] === undefined);
  const amount = money(page.amount_due, page.currency);
  if (general !== undefined) return note(html`<p>${t(`problem.${general}`, { amount })}</p>`);
  if (problems.length > 0) {
    const fields = [...new Set(problems.flatMap((problem) => fieldOf[problem] ?? []))];
    const entries = fields.map((field) => html`<li><a href="#${field}">${t(labels[field])}</a></li>`);
    return note(
      html`<h2>${t(page.link === null ? "problem.title" : "problem.titleUse")}</h2><ul>${entries}</ul>`,
      false,
    );
  }
  if (page.last_error_code === null) return null;
  const code = declines.find((each) => each === page.last_error_code) ?? "card_declined";
  return note(html`<h2>${t("decline.title")}</h2><p>${t(`decline.${code}`)}</p>`);
}

const note = (text: Html, hasFocus = true): Html =>
  html`<div class="part alert"><div class="note bad" role="alert" tabindex="-1"${hasFocus && html` autofocus`}>${text}</div></div>`;
