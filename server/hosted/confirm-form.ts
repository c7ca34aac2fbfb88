// The form that shows the payer of a reusable link an unusually large amount once more. Only this form charges it.
import type { PayPage } from "@/server/domains/payments/operations/view";
import { type Html, html } from "@/server/kit/html";
import { cardFieldset, note, testHint } from "./card-fields";
import { terms } from "./card-form";
import { cardFields, type FormProblem, fieldOf } from "./form-problems";
import type { Reader } from "./reader";
import type { TypedUse } from "./use-form";

/** The amount that the sent form confirms, in minor units; null if it is another form, or its amount is another one. */
export const confirmedIn = ({ confirmed }: Readonly<Record<string, string>>, amount: number | null): number | null =>
  amount !== null && confirmed === String(amount) ? amount : null;

/** Whether the payer still has to confirm the amount, also after problems with the card that came with the answer. */
export const isToConfirm = (problems: readonly FormProblem[], confirmed: number | null): boolean =>
  problems.includes("amount_unconfirmed") ||
  (confirmed !== null && problems.length > 0 && problems.every((problem) => isOfCard(fieldOf[problem])));

const isOfCard = (field: string | undefined): boolean =>
  (cardFields as readonly (string | undefined)[]).includes(field);

interface Asked {
  /** The page's own path. */
  path: string;
  problems: readonly FormProblem[];
  /** What the payer is asked to confirm, in minor units; null without. */
  unconfirmed: number | null;
  typed: TypedUse | null;
  notMine: string;
}

/** That an amount far above the suggested one is about to be paid, and was not yet; null if that is not the problem. */
export function confirmNotice(page: PayPage, { t, money }: Reader, { unconfirmed, problems }: Asked): Html | null {
  if (unconfirmed === null || !problems.includes("amount_unconfirmed")) return null;
  const amount = money(unconfirmed, page.currency);
  const suggested = money(page.link?.custom_amount?.suggested ?? 0, page.currency);
  return note(
    html`<h2>${t("problem.titleAmount")}</h2><p>${t("problem.amount_unconfirmed", { amount, suggested })}</p>`,
  );
}

/** The form: what was typed is hidden in it, and the card is entered again. Null if there is nothing to confirm. */
export function confirmForm(page: PayPage, reader: Reader, asked: Asked): Html | null {
  const { path, problems, unconfirmed, typed, notMine } = asked;
  if (unconfirmed === null || typed === null) return null;
  const { t, money, link } = reader;
  const { name, email, amount: own_amount } = typed;
  const hidden = Object.entries({
    ...{ form_token: page.form_token ?? "", use: "1", own_amount, confirmed: String(unconfirmed), name, email },
    ...(notMine !== "" && { not_mine: notMine }),
  });
  const submit = page.capture_method === "manual" ? "form.submitHold" : "form.submit";
  return html`
    <form method="post" action="${link(path)}" novalidate>
    ${hidden.map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`)}
    ${cardFieldset(page, reader, problems)}
    ${terms(page, reader)}
    <button class="button">${t(submit, { amount: money(unconfirmed, page.currency) })}</button>
    <button class="button outline" name="act" value="change">${t("part.change")}</button>
    ${testHint(page, reader)}
    </form>`;
}
