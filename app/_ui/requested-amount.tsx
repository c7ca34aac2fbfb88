// The amount of a payment request, or that each payer chooses it: <RequestedAmount {...payment} locale={…} />.
import { useTranslations } from "next-intl";
import { Money } from "./money";

interface Props {
  /** Minor units; null where each payer of a reusable link chooses. */
  amount: number | null;
  currency: string;
  locale: string;
  withCode?: boolean;
}

export function RequestedAmount({ amount, currency, locale, withCode = false }: Props) {
  const t = useTranslations("payment");
  if (amount === null) return t("amountChosen");
  return <Money amount={amount} currency={currency} locale={locale} withCode={withCode} />;
}
