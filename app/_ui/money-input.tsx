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
}

export function MoneyInput({ text, currency, locale, ...field }: Props) {
  const t = useTranslations("money");
  const understood = understoodMoney(text, currency, locale);
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      description={understood === null ? t("previewEmpty") : t("preview", { amount: understood })}
      inputWrapperOrder={["label", "input", "description", "error"]}
      {...field}
    />
  );
}
