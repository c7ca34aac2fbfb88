// The choice of what to pay on the page of a payment request that is paid in parts, and what a sent form chose.

import { type Choice, choices } from "@/server/domains/payments/choices";
import type { PayPage } from "@/server/domains/payments/operations/view";
import { type Html, html } from "@/server/kit/html";
import { limits } from "@/server/kit/limits";
import { moneyText, parseMoney } from "@/server/kit/money-text";
import { type FormProblem, fieldOf } from "./form-problems";
import type { Reader } from "./reader";
import { fact } from "./summary";

/** A choice, and the text of an own amount. */
export interface Picked {
  choice: Choice;
  typed: string;
}

/** The choice that the address of the page names; null if it names none. */
export function pickedIn(query: URLSearchParams): Picked | null {
  const choice = choices.find((one) => one === query.get("choice"));
  return choice ? { choice, typed: (query.get("typed") ?? "").slice(0, limits.cardForm.text) } : null;
}

/** The query by which the page keeps a choice. A text that may be a card number is not kept: addresses are logged. */
export function pickedQuery(picked: Picked | null): Record<string, string> {
  if (picked === null) return {};
  const { choice, typed } = picked;
  const isAmount = typed.replace(/\P{Nd}/gu, "").length < limits.cardForm.shortest;
  return { choice, ...(typed !== "" && isAmount && { typed }) };
}

/** What the sent fields chose: the choice with the amount that the page showed for it, in minor units. */
export function pickedBy(fields: Record<string, string>): Picked & { amount: number | null; due: number | null } {
  const [, name, shown] = /^([a-z]+)(?:-(\d{1,12}))?$/.exec(fields.choice ?? "all") ?? [];
  const choice = choices.find((one) => one === name);
  const due =
    fields.amount_due === undefined ? null : /^\d{1,12}$/.test(fields.amount_due) ? Number(fields.amount_due) : 0;
  const typed = (fields.own_amount ?? "").trim().slice(0, limits.cardForm.text);
  // A choice that no page offers never has the amount that is due.
  return { choice: choice ?? "all", typed, due, amount: choice ? (shown === undefined ? null : Number(shown)) : 0 };
}

/** A typed amount in minor units; null if it is none. The zero that `parseMoney` finds is too small, not unreadable. */
export function ownAmountOf(
  typed: string,
  { currency }: Pick<PayPage, "currency">,
  { formats }: Reader,
): number | null {
  const parsed = parseMoney(typed, currency, formats);
  if ("amount" in parsed) return parsed.amount;
  return parsed.problem === "tooLarge" ? limits.amount : null;
}

/** Whether the page lets the payer choose. */
const hasChoice = ({ options, own_amount }: PayPage): boolean => options.length > 1 || own_amount !== null;

/**
 * What to show while each fixed choice is chosen, by its amount in minor units; null without a choice. The style sheet
 * shows the one, and what is `otherwise` for an own amount, or in a browser that does not know `:has()`.
 */
export function byChoice(page: PayPage, text: (amount: number) => Html | string): Html | null {
  if (!hasChoice(page)) return null;
  return html`${page.options.map(({ choice, amount }) => html`<span class="when ${choice}">${text(amount)}</span>`)}`;
}

/** The hidden amount that the payer sees, and the choice, if there is one. */
export function partChoice(
  page: PayPage,
  reader: Reader,
  problems: readonly FormProblem[],
  picked: Picked | null,
): Html {
  const { t } = reader;
  return html`<input type="hidden" name="amount_due" value="${page.amount_due}">
    ${
      hasChoice(page) &&
      html`<fieldset class="picks">
      <legend>${t("part.legend")}</legend>
      ${page.options.map((option) => optionOf(option, page, reader, choiceOf(page, reader, picked).choice))}
      ${page.own_amount !== null && ownAmount(page.own_amount, page, reader, problems, choiceOf(page, reader, picked))}
      </fieldset>`
    }`;
}

/** What is chosen at first: what the payer chose before, also by an attempt that failed, or else what is due first. */
function choiceOf(page: PayPage, { formats }: Reader, picked: Picked | null): Picked {
  const first = { choice: page.options[0]?.choice ?? "all", typed: "" };
  const isOffered = (choice: Choice) =>
    choice === "own" ? page.own_amount !== null : page.options.some((one) => one.choice === choice);
  if (picked !== null) return isOffered(picked.choice) ? picked : first;
  if (page.last_error_code === null || page.attempt_amount === null) return first;
  const tried = page.options.find(({ amount }) => amount === page.attempt_amount);
  if (tried) return { choice: tried.choice, typed: "" };
  // Less may be due since.
  const isWithin = page.own_amount !== null && page.attempt_amount <= page.own_amount.most;
  return isWithin ? { choice: "own", typed: moneyText(page.attempt_amount, page.currency, formats) } : first;
}

function optionOf({ choice, amount }: PayPage["options"][number], page: PayPage, reader: Reader, chosen: Choice): Html {
  const { t, money, day } = reader;
  const next = page.installments?.find(({ status }) => status !== "paid");
  const isLast = page.options.length === 1;
  return html`<label class="pick"><input type="radio" name="choice" value="${choice}-${amount}"${choice === chosen && html` checked`}>
    <span>${t(`part.${choice}`, { isPart: String(page.amount_paid > 0 && !isLast) })}${
      choice === "next" && next !== undefined && html` <small>${t("due", { date: day(next.due_at) })}</small>`
    }</span> <b>${money(amount, page.currency)}</b></label>`;
}

function ownAmount(
  { least, most }: NonNullable<PayPage["own_amount"]>,
  page: PayPage,
  { t, money }: Reader,
  problems: readonly FormProblem[],
  { choice, typed }: Picked,
): Html {
  const [from, to, all] = [least, most, page.amount_due].map((amount) => money(amount, page.currency));
  const problem = problems.find((one) => fieldOf[one] === "own_amount");
  const values = { from: from ?? "", to: to ?? "", all: all ?? "" };
  return html`<label class="pick"><input type="radio" name="choice" value="own"${choice === "own" && html` checked`}>
    <span>${t("part.own")}</span></label>
    <div class="own"><label for="own_amount">${t("part.ownAmount", { currency: page.currency })}</label>
    <input id="own_amount" name="own_amount" inputmode="decimal" autocomplete="off" maxlength="${limits.cardForm.text}" value="${typed}" aria-describedby="own_amount-help${problem !== undefined && html` own_amount-note`}"${
      problem !== undefined && html` aria-invalid="true" autofocus`
    }>
    <span class="help" id="own_amount-help">${t(least === most ? "part.ownExact" : "part.ownRange", values)}</span>
    ${problem !== undefined && html`<span class="error" id="own_amount-note">${t(`problem.${problem}`, values)}</span>`}
    </div>`;
}

/** The agreed installments, with what is paid of each; null without. */
export function installmentList({ installments, currency }: PayPage, { t, money, day }: Reader): Html | null {
  if (installments === null) return null;
  const rows = installments.map(({ amount, amount_paid: paid, due_at, status }) => {
    const isPart = paid > 0 && paid < amount;
    const term = html`${day(due_at)}<span>${t("part.status", { status })}${isPart && ` · ${t("part.paidOf", { amount: money(paid, currency) })}`}</span>`;
    return fact(term, money(amount, currency), "item");
  });
  return html`<div class="part"><h2>${t("part.plan")}</h2><dl class="facts">${rows}</dl></div>`;
}
