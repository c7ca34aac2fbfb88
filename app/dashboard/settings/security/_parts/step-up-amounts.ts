// The state of the form for the amounts of step-up: rows of a currency and an amount, and their problems.
"use client";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useMoneyProblem } from "@/app/_ui/money-problem";
import { moneyText, parseMoney } from "@/app/_ui/money-text";
import { useSettingsForm } from "../../_parts/save-settings";

/** In minor units. */
export interface StepUpAmount {
  currency: string;
  amount: number;
}

interface Row {
  /** Tells rows apart, also those without a currency. */
  row: string;
  currency: string;
  amount: string;
}

export function useStepUpAmounts(amounts: readonly StepUpAmount[], locale: string) {
  const t = useTranslations("securitySettings");
  const moneyProblem = useMoneyProblem(locale);
  const rows = amounts.map(({ currency, amount }): Row => {
    return { row: currency, currency, amount: moneyText(amount, currency, locale) };
  });
  const [typed, setTyped] = useState(rows);
  const form = useForm({
    mode: "uncontrolled",
    onValuesChange: (values) => setTyped(values.rows),
    initialValues: { rows },
    validate: {
      rows: {
        currency: (code, values) => {
          if (code === "") return t("currencyMissing");
          const isTwice = values.rows.filter(({ currency }) => currency === code).length > 1;
          return isTwice ? t("currencyTwice", { currency: code }) : null;
        },
        amount: (text, values, path) => {
          const currency = values.rows[Number(path.split(".")[1])]?.currency;
          // Without a currency, that is the problem to show.
          return currency ? moneyProblem(text, currency) : null;
        },
      },
    },
  });
  const submission = useSettingsForm(form, (values) => ({
    step_up_amounts: values.rows.map(({ currency, amount: text }) => {
      const parsed = parseMoney(text, currency, locale);
      if (!("amount" in parsed)) throw new Error("The form was sent with an amount that it had refused.");
      return { currency, amount: parsed.amount };
    }),
  }));
  return { form, typed, ...submission };
}
