// What a subscription will charge, in a sentence below its fields: "€12.00 every month, after a trial of 14 days. …"
"use client";
import { useTranslations } from "next-intl";
import { formatMoney } from "@/app/_ui/money-text";
import { useNow } from "@/app/_ui/organization-time";
import type { RequestValues } from "./request-values";
import classes from "./subscription-sentence.module.css";
import { summaryOf } from "./subscription-summary";

export function SubscriptionSentence({ values, locale }: { values: RequestValues; locale: string }) {
  const t = useTranslations("newPayment.summary");
  const now = useNow();
  const summary = summaryOf(values, locale, now());
  // The place is there before the sentence, so that its changes are read out.
  return (
    <p className={classes.sentence} aria-live="polite">
      {summary && textOf(summary)}
    </p>
  );

  function textOf({ amount, count, trial, end }: NonNullable<typeof summary>): string {
    const money = (minorUnits: number) => formatMoney(minorUnits, values.currency, locale);
    const every = t(values.interval, { price: money(amount), count });
    const first =
      trial === null
        ? t("atOnce", { every })
        : t("afterTrial", {
            ...{ every, days: trial.days },
            date: trial.firstCharge.toLocaleDateString(locale, { dateStyle: "long" }),
          });
    return end === null ? first : `${first} ${t("limited", { cycles: end.cycles, total: money(end.total) })}`;
  }
}
