// An amount, formatted for the reader.
import { formatMoney } from "@/server/kit/currency";
import classes from "./money.module.css";

interface Props {
  /** Minor units. */
  amount: number;
  currency: string;
  /** The reader's locale. */
  locale: string;
  /** Adds the currency code, for columns that mix currencies. */
  withCode?: boolean;
}

export function Money({ amount, currency, locale, withCode = false }: Props) {
  const text = formatMoney(amount, currency, locale);
  return (
    <span className={classes.money}>
      {text}
      {withCode && !text.includes(currency) && <span className={classes.code}> {currency}</span>}
    </span>
  );
}
