// A field for an amount: takes what people type in their locale and shows below it what was understood.
"use client";
import { TextInput, type TextInputProps } from "@mantine/core";
import { useTranslations } from "next-intl";
import { understoodMoney } from "./money-text";

interface Props
  extends Pick<TextInputProps, "id" | "name" | "label" | "defaultValue" | "error" | "onChange" | "onBlur" | "onFocus"> {
  /** What stands in the field now, as typed: the form keeps the text, also while it makes no sense yet. */
  text: string;
  currency: string;
  locale: string;
  /** What stands below the field in place of what the customer pays: before there is an amount, and of an amount. */
  preview?: { empty: string; understood(amount: string): string };
}

export function MoneyInput({ text, currency, locale, preview, ...field }: Props) {
  const t = useTranslations("money");
  const understood = understoodMoney(text, currency, locale);
  const said = preview ?? { empty: t("previewEmpty"), understood: (amount) => t("preview", { amount }) };
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      description={understood === null ? said.empty : said.understood(understood)}
      inputWrapperOrder={["label", "input", "description", "error"]}
      {...field}
    />
  );
}
