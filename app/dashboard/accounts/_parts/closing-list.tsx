// The consequences of closing an account, counted again each time the dialog opens.
"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useTRPC } from "@/app/_trpc/client";
import { formatMoney } from "@/app/_ui/money-text";
import { Refusal } from "@/app/_ui/refusal";
import classes from "@/app/dashboard/_parts/consequences.module.css";
import own from "./closing-list.module.css";

interface Props {
  id: string;
  isOwn: boolean;
  locale: string;
}

const counts = ["sessions", "api_keys", "payment_requests", "moved_users", "excluded_users"] as const;
const parts = ["available", "pending", "held_for_refunds", "held_for_disputes"] as const;

export function ClosingList({ id, isOwn, locale }: Props) {
  const t = useTranslations("closeAccount");
  const { data, error } = useQuery(
    useTRPC().accounts.closing.queryOptions({ account_id: id }, { staleTime: 0, gcTime: 0 }),
  );
  if (error) {
    return (
      <p className={classes.text}>
        {t("unknown")} <Refusal error={error} />
      </p>
    );
  }
  if (!data) return <p className={classes.text}>{t("counting")}</p>;
  const left = data.balances.flatMap(({ currency, ...balance }) =>
    parts
      .filter((part) => balance[part] !== 0)
      .map((part) => ({ part, currency, amount: formatMoney(balance[part], currency, locale) })),
  );
  const available = left.filter(({ part }) => part === "available").map(({ amount }) => amount);
  const ending = counts.filter((name) => data[name] > 0);
  return (
    <div className={classes.text}>
      <p>{t("permanent")}</p>
      {available.map((amount) => (
        <p key={amount} className={own.warning}>
          {t("moneyLeft", { amount })}
        </p>
      ))}
      {ending.length > 0 && (
        <>
          <h3 className={classes.title}>{t("ends")}</h3>
          <ul className={classes.list}>
            {ending.map((name) => (
              <li key={name}>{t(name, { count: data[name] })}</li>
            ))}
            {isOwn && <li>{t("signedOut")}</li>}
          </ul>
        </>
      )}
      <h3 className={classes.title}>{t("stays")}</h3>
      {left.length > 0 && (
        <ul className={classes.list}>
          {left.map(({ part, currency, amount }) => (
            <li key={part + currency}>{t(part, { amount })}</li>
          ))}
        </ul>
      )}
      <p>{left.length > 0 ? t("ledgerWithBalance") : t("ledger")}</p>
    </div>
  );
}
