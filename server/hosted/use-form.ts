// The part of a reusable link's form that each payer fills in: who pays, how many or how much.

import type { PayPage } from "@/server/domains/payments/operations/view";
import { type Html, html } from "@/server/kit/html";
import { limits } from "@/server/kit/limits";
import { moneyText } from "@/server/kit/money-text";
import { readWhole } from "@/server/kit/typed-number";
import { type FormProblem, fieldOf } from "./form-problems";
import type { Reader } from "./reader";

/** What a payer has typed. It is never part of an address, because addresses are logged. */
export interface TypedUse {
  name: string;
  email: string;
  /** The text of an amount. */
  amount: string;
  /** The texts of quantities, by the index of their lines. */
  quantities: ReadonlyMap<number, string>;
}

const nothing: TypedUse = { name: "", email: "", amount: "", quantities: new Map() };

/** Whether the sent form is that of a reusable link. */
export const isUseForm = (fields: Readonly<Record<string, string>>): boolean => fields.use !== undefined;

/** What the sent fields of a reusable link's form say. */
export function typedUse(fields: Readonly<Record<string, string>>): TypedUse {
  const { name = "", email = "", own_amount: amount = "" } = fields;
  const quantities = new Map<number, string>();
  for (const [field, text] of Object.entries(fields)) {
    const [, line] = /^q(\d{1,2})$/.exec(field) ?? [];
    if (line !== undefined) quantities.set(Number(line), text.slice(0, limits.cardForm.text));
  }
  return { name, email, amount: amount.slice(0, limits.cardForm.text), quantities };
}

/** The quantities as numbers; null for a text that is none, and for one that no line allows. */
export const quantitiesIn = ({ quantities }: TypedUse, { formats }: Reader) =>
  [...quantities].map(([line, text]) => {
    const quantity = readWhole(text, formats);
    return { line, quantity: quantity !== null && quantity >= 1 && quantity <= limits.quantity ? quantity : null };
  });

/** The price that the form says its payer saw, in minor units; null without. */
export const priceIn = ({ price = "" }: Readonly<Record<string, string>>): number | null =>
  /^\d{1,12}$/.test(price) ? Number(price) : null;

/** The fields of a payer of a reusable link, before the card; null on any other page. */
export function payerFields(
  page: PayPage,
  reader: Reader,
  problems: readonly FormProblem[],
  { typed, notMine }: { typed: TypedUse | null; notMine: string },
): Html | null {
  if (page.link === null) return null;
  const given = typed ?? nothing;
  const { custom_amount: custom } = page.link;
  return html`<input type="hidden" name="use" value="1">
    ${notMine !== "" && html`<input type="hidden" name="not_mine" value="${notMine}">`}
    ${custom === null && html`<input type="hidden" name="price" value="${page.amount_due}">`}
    ${custom !== null && amountField(custom, page, reader, problems, typed)}
    ${page.link.quantities.length > 0 && quantityFields(page.link.quantities, page, reader, problems, given)}
    <fieldset>
    <legend>${reader.t("use.legend")}</legend>
    ${textField({ field: "email", kind: "email", fill: "email", isRequired: true }, given.email, reader, problems)}
    ${textField({ field: "name", kind: "text", fill: "name", isRequired: false }, given.name, reader, problems)}
    </fieldset>`;
}

interface TextField {
  field: "email" | "name";
  kind: "email" | "text";
  fill: "email" | "name";
  isRequired: boolean;
}

/** Marks the first wrong field of this form, which has the focus. */
const isFirst = (field: string, problems: readonly FormProblem[]): boolean =>
  problems.map((problem) => fieldOf[problem]).find((one) => one !== undefined) === field;

const wrong = (field: string, problems: readonly FormProblem[]): FormProblem | undefined =>
  problems.find((problem) => fieldOf[problem] === field);

/** The browser does not cut what was typed: a value that is too long is refused with a message. */
function textField(shape: TextField, value: string, { t }: Reader, problems: readonly FormProblem[]): Html {
  const { field, kind, fill, isRequired } = shape;
  const problem = wrong(field, problems);
  return html`<div>
    <label for="${field}">${t(`use.${field}`)}</label>
    <input id="${field}" name="${field}" type="${kind}"${kind === "email" && html` dir="ltr"`} autocomplete="${fill}" value="${value}"${isRequired && html` required`}${
      problem !== undefined && html` aria-describedby="${field}-note" aria-invalid="true"`
    }${isFirst(field, problems) && html` autofocus`}>
    ${problem !== undefined && html`<span class="error" id="${field}-note">${t(`problem.${problem}`, { most: limits.name })}</span>`}
    </div>`;
}

function amountField(
  { minimum, maximum, suggested }: NonNullable<NonNullable<PayPage["link"]>["custom_amount"]>,
  page: PayPage,
  { t, money, formats }: Reader,
  problems: readonly FormProblem[],
  typed: TypedUse | null,
): Html {
  const problem = wrong("own_amount", problems);
  const values = { from: money(minimum, page.currency), to: money(maximum, page.currency) };
  const first = suggested === null ? "" : moneyText(suggested, page.currency, formats);
  return html`<div><label for="own_amount">${t("part.ownAmount", { currency: page.currency })}</label>
    <input id="own_amount" name="own_amount" dir="ltr" inputmode="decimal" autocomplete="off" maxlength="${limits.cardForm.text}" value="${typed?.amount ?? first}" required aria-describedby="own_amount-help${problem !== undefined && html` own_amount-note`}"${
      problem !== undefined && html` aria-invalid="true"`
    }${isFirst("own_amount", problems) && html` autofocus`}>
    <span class="help" id="own_amount-help">${t(minimum === maximum ? "use.amountExact" : "use.amountRange", values)}</span>
    ${problem !== undefined && html`<span class="error" id="own_amount-note">${t(`problem.${problem}`, values)}</span>`}
    </div>`;
}

/** The first button of the form: Enter in a field pays, as in other forms, instead of updating the total. */
const payOnEnter = html`<button class="first" tabindex="-1" aria-hidden="true"></button>`;

/** Whether every quantity is a number that its line allows. */
export function areInRange(typed: TypedUse, page: PayPage, reader: Reader): boolean {
  const read = new Map(quantitiesIn(typed, reader).map((one) => [one.line, one.quantity]));
  return (page.link?.quantities ?? []).every((range) => isWithin(read.get(range.line), range));
}

const isWithin = (quantity: number | null | undefined, { minimum, maximum }: { minimum: number; maximum: number }) =>
  quantity != null && quantity >= minimum && quantity <= maximum;

function quantityFields(
  ranges: NonNullable<PayPage["link"]>["quantities"],
  page: PayPage,
  reader: Reader,
  problems: readonly FormProblem[],
  { quantities }: TypedUse,
): Html {
  const { t, number } = reader;
  const isWrong = wrong("quantities", problems) !== undefined;
  const read = new Map(quantitiesIn({ ...nothing, quantities }, reader).map((one) => [one.line, one.quantity]));
  const isOut = (range: (typeof ranges)[number]) => isWrong && !isWithin(read.get(range.line), range);
  const firstOut = isFirst("quantities", problems) ? ranges.find(isOut)?.line : undefined;
  const fields = ranges.map((range) => {
    const { line, minimum, maximum } = range;
    const { name = "", quantity = minimum } = page.lines[line] ?? {};
    const values = { from: number(minimum), to: number(maximum) };
    return html`<div><label for="q${line}">${t("use.quantity", { name })}</label>
      <input id="q${line}" name="q${line}" inputmode="numeric" autocomplete="off" maxlength="${limits.cardForm.text}" value="${quantities.get(line) ?? number(quantity)}" required aria-describedby="q${line}-help"${
        isOut(range) && html` aria-invalid="true"`
      }${line === firstOut && html` autofocus`}>
      <span class="${isOut(range) ? "error" : "help"}" id="q${line}-help">${t("use.quantityRange", values)}</span></div>`;
  });
  return html`<fieldset id="quantities">
    <legend>${t("use.quantities")}</legend>
    ${payOnEnter}
    ${fields}
    <button class="button outline" name="act" value="total">${t("use.update")}</button>
    </fieldset>`;
}
