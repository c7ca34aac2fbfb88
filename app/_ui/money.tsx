// An amount as its reader writes it.
import { formatMoney } from "@/server/kit/currency";
import classes from "./money.module.css";

interface Props {
  /** Minor units. */
  amount: number;
  currency: string;
  /** The reader's locale. */
  locale: string;
  /** Says the currency code too, where several currencies stand below one another. */
  withCode?: boolean;
}

export function Money({ amount, currency, locale, withCode = false }: Props) {
  return (
    <span className={classes.money}>
      {formatMoney(amount, currency, locale)}
      {withCode && <span className={classes.code}> {currency}</span>}
    </span>
  );
}
