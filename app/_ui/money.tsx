// An amount, formatted for the reader.
import { formatAmount, formatMoney } from "@/server/kit/currency";
import classes from "./money.module.css";

interface Props {
  /** Minor units. */
  amount: number;
  currency: string;
  /** The reader's locale. */
  locale: string;
  /** Shows the currency code in a place of its own instead of the symbol: in every list, whatever its rows are. */
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
