// The amount of a payment request, or that each payer chooses it: <RequestedAmount {...payment} chosen={…} … />.
import { Money } from "./money";

interface Props {
  /** Minor units; null where each payer of a reusable link chooses. */
  amount: number | null;
  currency: string;
  locale: string;
  withCode?: boolean;
  /** What to say where each payer chooses. */
  chosen: string;
}

export function RequestedAmount({ amount, currency, locale, withCode = false, chosen }: Props) {
  if (amount === null) return chosen;
  return <Money amount={amount} currency={currency} locale={locale} withCode={withCode} />;
}
