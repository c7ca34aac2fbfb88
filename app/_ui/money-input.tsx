// An amount field: accepts what people type in their locale and shows below it how the amount was read.
"use client";
import { TextInput, type TextInputProps } from "@mantine/core";
import { useTranslations } from "next-intl";
import { understoodMoney } from "./money-text";

interface Props
  extends Pick<
    TextInputProps,
    | "autoFocus"
    | "className"
    | "id"
    | "name"
    | "label"
    | "size"
    | "wrapperProps"
    | "defaultValue"
    | "error"
    | "onChange"
    | "onBlur"
    | "onFocus"
    | "onInvalid"
    | "ref"
  > {
  /** The current text. The form keeps it even while it is not a valid amount. */
  text: string;
  currency: string;
  locale: string;
  /** Replaces the text below the field, which says what the customer pays: without an amount, and with one. */
  preview?: { empty: string; understood(amount: string): string };
}

export function MoneyInput({ text, currency, locale, preview, ...field }: Props) {
  const t = useTranslations("money");
  const understood = understoodMoney(text, currency, locale);
  const texts = preview ?? { empty: t("previewEmpty"), understood: (amount) => t("preview", { amount }) };
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      description={understood === null ? texts.empty : texts.understood(understood)}
      {...field}
    />
  );
}
