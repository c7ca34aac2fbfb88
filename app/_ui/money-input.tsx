// A field for an amount: takes what people type in their locale and shows below it what was understood.
"use client";
import { TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import type { FocusEventHandler, ReactNode } from "react";
import { understoodMoney } from "./money-text";

interface Props {
  id: string;
  label: string;
  /** As typed; the form keeps the text, so that nothing is lost while it makes no sense yet. */
  value?: string;
  currency: string;
  locale: string;
  error?: ReactNode;
  onChange(text: string): void;
  onBlur?: FocusEventHandler<HTMLInputElement>;
}

export function MoneyInput({ id, label, value = "", currency, locale, error, onChange, onBlur }: Props) {
  const t = useTranslations("money");
  const understood = understoodMoney(value, currency, locale);
  return (
    <TextInput
      id={id}
      name={id}
      label={label}
      value={value}
      error={error}
      inputMode="decimal"
      autoComplete="off"
      required
      withAsterisk={false}
      description={understood === null ? t("previewEmpty") : t("preview", { amount: understood })}
      inputWrapperOrder={["label", "input", "description", "error"]}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onBlur}
    />
  );
}
