// An account's balance before and after a movement: "Café am Kai: €120.00 available, then €95.00".
"use client";
import { useTranslations } from "next-intl";
import { formatMoney } from "@/app/_ui/money-text";
import classes from "./balance-after.module.css";
import { availableIn, type MovedAccount } from "./movement";

interface Props {
  /** Null while none is chosen, or where the reader may not see its balance. */
  account: MovedAccount | null;
  /** Minor units, negative if money leaves; 0 while no amount is typed. */
  change: number;
  currency: string;
  locale: string;
}

export function BalanceAfter({ account, change, currency, locale }: Props) {
  const t = useTranslations("newTransaction");
  if (account === null) return null;
  const available = availableIn(account, currency);
  const [before, after] = [available, available + change].map((amount) => formatMoney(amount, currency, locale));
  const values = { name: account.account_name, before: before ?? "", after: after ?? "" };
  const isShort = available + change < 0;
  return (
    <p className={classes.balance} data-short={isShort || undefined}>
      {change === 0 ? t("balance", values) : t("balanceAfter", values)}
    </p>
  );
}
