// What the list and the page of a subscription say in the same words: the price, the card.
import { useTranslations } from "next-intl";
import { cardBrand } from "@/app/_ui/card-brand";
import { Money } from "@/app/_ui/money";
import type { Subscription } from "./subscription-path";
import classes from "./subscription-texts.module.css";

interface PriceProps {
  subscription: Pick<Subscription, "amount" | "currency" | "interval" | "interval_count">;
  locale: string;
  /** With the currency code, and the interval below the amount, so that amounts line up. */
  isInList?: boolean;
}

/** "€9.00 every month". */
export function Price({ subscription, locale, isInList = false }: PriceProps) {
  const t = useTranslations("pay.interval");
  const { amount, currency, interval, interval_count: count } = subscription;
  return (
    <span className={isInList ? classes.stacked : classes.price}>
      <Money amount={amount} currency={currency} locale={locale} withCode={isInList} />{" "}
      <span className={classes.interval}>{t(interval, { count })}</span>
    </span>
  );
}

/** "Visa •••• 4242"; null if no card is stored. */
export function useCard() {
  const t = useTranslations("transactions.methods");
  return ({ payment_method: method }: Pick<Subscription, "payment_method">): string | null => {
    if (method === null) return null;
    const { brand, last4 } = method;
    const name = brand === null ? t("card") : cardBrand(brand);
    return last4 === null ? name : `${name} •••• ${last4}`;
  };
}
