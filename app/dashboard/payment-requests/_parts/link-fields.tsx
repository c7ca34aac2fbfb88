// How often a new payment request can be paid, and for a reusable link whether each payer chooses the amount.
"use client";
import { NativeSelect, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import form from "@/app/_ui/form.module.css";
import { MoneyInput } from "@/app/_ui/money-input";
import { limits } from "@/server/kit/limits";
import { hasCustomAmount, isReusableForm } from "./link-values";
import type { MoreProps } from "./more-fields";

const uses = ["once", "limited", "unlimited"] as const;
const priced = ["fixed", "custom"] as const;

export function LinkFields({ form: fields, typed, locale }: MoreProps) {
  const t = useTranslations("newPayment");
  const shared = useTranslations("form");
  const field = (name: string) => ({ id: name, name, ...fields.getInputProps(name) });
  if (typed.type === "invoice") return null;
  const money = (name: "customMinimum" | "customMaximum" | "customSuggested") => ({
    ...{ text: typed[name], currency: typed.currency, locale },
    preview: { empty: "", understood: (amount: string) => amount },
    ...field(name),
  });
  return (
    <>
      <div className={form.pair}>
        <NativeSelect
          key={fields.key("uses")}
          label={t("uses")}
          description={isReusableForm(typed) ? t("usesHelp") : undefined}
          data={uses.map((value) => ({ value, label: t(`usesKinds.${value}`) }))}
          {...field("uses")}
        />
        {typed.uses === "limited" && (
          <TextInput
            key={fields.key("usageLimit")}
            inputMode="numeric"
            autoComplete="off"
            label={t("usageLimit", { most: limits.links.uses })}
            {...field("usageLimit")}
          />
        )}
      </div>
      {isReusableForm(typed) && typed.lines.length === 0 && (
        <NativeSelect
          key={fields.key("priced")}
          label={t("priced")}
          data={priced.map((value) => ({ value, label: t(`pricedKinds.${value}`) }))}
          {...field("priced")}
        />
      )}
      {hasCustomAmount(typed) && (
        <div className={form.pair}>
          <MoneyInput key={fields.key("customMinimum")} label={t("customMinimum")} {...money("customMinimum")} />
          <MoneyInput key={fields.key("customMaximum")} label={t("customMaximum")} {...money("customMaximum")} />
          <MoneyInput
            key={fields.key("customSuggested")}
            label={shared("optional", { label: t("customSuggested") })}
            {...money("customSuggested")}
          />
        </div>
      )}
    </>
  );
}
