// The fields for a card on hosted pages, and what is said about them. Card data is never sent back.
import { type Html, html } from "@/server/kit/html";
import { limits } from "@/server/kit/limits";
import { plainDigits } from "@/server/kit/plain-digits";
import { type CardField, cardFields, type FormProblem, fieldOf } from "./form-problems";
import type { Reader } from "./reader";

export const labels = {
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

/** The card in a sent form. Digits may be full-width or Arabic, as some keyboards type them. */
export const cardIn = ({ card_number = "", expiry = "", security_code = "" }: Readonly<Record<string, string>>) => ({
  card_number: plainDigits(card_number),
  expiry: plainDigits(expiry),
  security_code: plainDigits(security_code),
});

/** The page that shows the fields. */
interface Page {
  livemode: boolean;
}

/** The fields of a card, with the problems of the last submission. */
export function cardFieldset(page: Page, reader: Reader, problems: readonly FormProblem[]): Html {
  const { t } = reader;
  const { number, expiry, code } = limits.cardForm;
  const wrong = problems.flatMap((problem) => fieldOf[problem] ?? []);
  // Other fields come before the card, and then have the focus.
  const isCard = wrong.every((name) => (cardFields as readonly string[]).includes(name));
  const firstWrong = isCard ? cardFields.find((name) => wrong.includes(name)) : undefined;
  const field = (shape: Field) => inputOf(shape, page, reader, { problems, firstWrong });
  const sample = page.livemode ? "1234 1234 1234 1234" : testNumber;
  return html`
    <fieldset>
    <legend>${t("form.legend")}</legend>
    ${field({ name: "card_number", placeholder: sample, maxLength: number, fill: "cc-number" })}
    <div class="row">
    ${field({ name: "expiry", placeholder: t("form.expirySample"), maxLength: expiry, fill: "cc-exp" })}
    ${field({ name: "security_code", placeholder: "CVC", maxLength: code, fill: "cc-csc" })}
    </div>
    </fieldset>`;
}

/** In the sandbox: which card to use. */
export const testHint = ({ livemode }: Page, { t }: Reader): Html | false =>
  !livemode &&
  html`<p class="note hint">${around(t("form.testHelp", { number: slot }), html`<b>${testNumber}</b>`)}</p>`;

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
function inputOf(field: Field, { livemode }: Page, { t }: Reader, { problems, firstWrong }: Wrong): Html {
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

/** The declines whose text says what was not confirmed or received: a payment, or only a card. */
const ofStoring = ["not_received", "authentication_failed", "authentication_abandoned"] as const;

/** Why the card was declined. `isStoring`: nothing was to be paid. */
export function declineText(failure: string, t: Reader["t"], isStoring: boolean): string {
  const own = isStoring ? ofStoring.find((each) => each === failure) : undefined;
  return own ? t(`declineStore.${own}`) : t(`decline.${declines.find((each) => each === failure) ?? "card_declined"}`);
}

/** A notice above the form. Screen readers read it first if it has the focus. */
export const note = (text: Html, hasFocus = true): Html =>
  html`<div class="part alert"><div class="note bad" role="alert" tabindex="-1"${hasFocus && html` autofocus`}>${text}</div></div>`;
