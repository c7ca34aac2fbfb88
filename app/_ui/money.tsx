// An amount, formatted for the reader.
import { formatAmount, formatMoney } from "@/server/kit/currency";
import classes from "./money.module.css";

interface Props {
  /** Minor units. */
  amount: number;
  currency: string;
  /** The reader's locale. */
  locale: string;
  /** Shows the currency code instead of its symbol, for columns that mix currencies. */
  withCode?: boolean;
}

export function Money({ amount, currency, locale, withCode = false }: Props) {
  if (!withCode) return <span className={classes.money}>{formatMoney(amount, currency, locale)}</span>;
  return (
    <span className={classes.money}>
      {formatAmount(amount, currency, locale)} <span className={classes.code}>{currency}</span>
    </span>
  );
}
