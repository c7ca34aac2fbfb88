// The amount of an open pay page in large, which follows what the payer chooses where there is a choice.
import type { PayPage } from "@/server/domains/payments/operations/view";
import { type Html, html } from "@/server/kit/html";
import { byChoice } from "./part-form";
import type { Reader } from "./reader";
import { amountLine, amountText, headlineAmount, interval } from "./summary";

/**
 * The amount in large; none where the payer has yet to type it. `unconfirmed` is the amount in minor units that the
 * payer of a reusable link is asked to confirm.
 */
export function headline(page: PayPage, reader: Reader, unconfirmed: number | null): Html | false {
  const { currency, amount_due: due } = page;
  const isTyped = unconfirmed === null && page.link?.custom_amount != null;
  if (isTyped) return false;
  const amount = unconfirmed ?? askedOf(page);
  const texts = byChoice(page, (part) => {
    const total = reader.money(due, currency);
    return amountText(part, currency, reader, part === due ? null : reader.t("part.nowOf", { total }));
  });
  if (texts === null) return headlineAmount(amount, currency, reader, interval(page, reader));
  return amountLine(html`<span class="otherwise">${amountText(amount, currency, reader)}</span>${texts}`, {
    longest: reader.money(amount, currency),
    changes: true,
  });
}

/** Minor units of the headline: what is due or, of a trial, the price after it. */
const askedOf = (page: PayPage): number => (page.subscription?.trial_days == null ? page.amount_due : page.amount);
