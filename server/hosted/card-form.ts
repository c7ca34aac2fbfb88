// The card form of an open page, with the problems of the last submission. It never sends card data back.

import type { PayPage } from "@/server/domains/payments/operations/view";
import { type Html, html } from "@/server/kit/html";
import { limits } from "@/server/kit/limits";
import type { Reader } from "./reader";

/** Possible problems with a submitted form. The redirect back to the page names them in its query. */
export const formProblems = [
  "number_invalid",
  "number_not_test",
  "expiry_invalid",
  "expiry_past",
  "security_code_invalid",
  "form_expired",
  "rate_limited",
] as const;

export type FormProblem = (typeof formProblems)[number];

const fieldOf: Partial<Record<FormProblem, FieldName>> = {
  number_invalid: "card_number",
  number_not_test: "card_number",
  expiry_invalid: "expiry",
  expiry_past: "expiry",
  security_code_invalid: "security_code",
};

type FieldName = "card_number" | "expiry" | "security_code";

/** The known problems in a query value. */
export const knownProblems = (words: string | null): FormProblem[] =>
  formProblems.filter((problem) => words?.split(",").includes(problem));

const labels = { card_number: "form.number", expiry: "form.expiry", security_code: "form.code" } as const;

interface Field {
  name: FieldName;
  help: string | null;
  maxLength: number;
}

/** The card form, posted to `path`. */
export function cardForm(page: PayPage, path: string, reader: Reader, problems: readonly FormProblem[]): Html {
  const { t, money, link } = reader;
  const field = (shape: Field) => inputOf(shape, reader, problems);
  const help = { number: html`<b>4242 4242 4242 4242</b>` };
  return html`
    <form method="post" action="${link(path)}">
    <input type="hidden" name="form_token" value="${page.form_token}">
    <fieldset>
    <legend>${t("form.legend")}</legend>
    ${field({ name: "card_number", help: null, maxLength: limits.cardForm.number })}
    <div class="row">
    ${field({ name: "expiry", help: t("form.expiryHelp"), maxLength: limits.cardForm.expiry })}
    ${field({ name: "security_code", help: t("form.codeHelp"), maxLength: limits.cardForm.code })}
    </div>
    </fieldset>
    <p class="note hint">${around(t("form.testHelp", { number: slot }), help.number)}</p>
    ${page.capture_method === "manual" && html`<p class="dim">${t("form.holdNote", { account: page.account_name })}</p>`}
    <button class="button">${t("form.submit", { amount: money(page.amount_due, page.currency) })}</button>
    </form>`;
}

/** Marks where markup goes in a message. No text of ours or of an account contains it. */
const slot = "\u0000";

const around = (text: string, part: Html): Html => {
  const [before = "", after = ""] = text.split(slot);
  return html`${before}${part}${after}`;
};

// The browser must not offer a real card here, so the fields disable autofill.
function inputOf({ name, help, maxLength }: Field, { t }: Reader, problems: readonly FormProblem[]): Html {
  const problem = problems.find((each) => fieldOf[each] === name);
  const isDescribed = problem !== undefined || help !== null;
  return html`
    <div>
    <label for="${name}">${t(labels[name])}</label>
    <input id="${name}" name="${name}" inputmode="numeric" autocomplete="off" spellcheck="false" required maxlength="${maxLength}"${
      isDescribed && html` aria-describedby="${name}-note"`
    }${problem !== undefined && html` aria-invalid="true"`}>
    ${
      problem !== undefined
        ? html`<span class="error" id="${name}-note">${t(`problem.${problem}`)}</span>`
        : help !== null && html`<span class="help" id="${name}-note">${help}</span>`
    }
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
  "authentication_expired",
] as const;

/**
 * Why the payer sees the form again: invalid fields or a declined card. It has the focus, so screen readers read it
 * first.
 */
export function problemNotice(page: PayPage, { t }: Reader, problems: readonly FormProblem[]): Html | null {
  const general = problems.find((problem) => fieldOf[problem] === undefined);
  if (general !== undefined) return note(html`<p>${t(`problem.${general}`)}</p>`);
  if (problems.length > 0) {
    const fields = [...new Set(problems.flatMap((problem) => fieldOf[problem] ?? []))];
    const entries = fields.map((field) => html`<li><a href="#${field}">${t(labels[field])}</a></li>`);
    return note(html`<h2>${t("problem.title")}</h2><ul>${entries}</ul>`);
  }
  if (page.last_error_code === null) return null;
  const code = declines.find((each) => each === page.last_error_code) ?? "card_declined";
  return note(html`<h2>${t("decline.title")}</h2><p>${t(`decline.${code}`)}</p>`);
}

const note = (text: Html): Html =>
  html`<div class="part alert"><div class="note bad" role="alert" tabindex="-1" autofocus>${text}</div></div>`;
