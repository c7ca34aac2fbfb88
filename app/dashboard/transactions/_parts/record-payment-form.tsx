// The form that records a received payment: amount, account, description and customer.
"use client";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { ButtonLink } from "@/app/_ui/button-link";
import { firstField } from "@/app/_ui/first-field";
import classes from "@/app/_ui/form.module.css";
import { MoneyInput } from "@/app/_ui/money-input";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { limits } from "@/server/kit/limits";
import { type Initial, useRecordPayment } from "./record-payment";

interface Option {
  value: string;
  label: string;
}

interface Props {
  locale: string;
  currencies: readonly Option[];
  accounts: readonly Option[];
  initial: Initial;
}

export function RecordPaymentForm({ locale, currencies, accounts, initial }: Props) {
  const t = useTranslations("recordPayment");
  const shared = useTranslations("form");
  const { form, typed, formProps, isSending, summary } = useRecordPayment(initial, locale);
  const field = (name: Parameters<typeof form.getInputProps>[0]) => ({ id: name, name, ...form.getInputProps(name) });
  const text = (name: "description" | "reference" | "customer", maxLength: number, help?: string) => (
    <TextInput
      key={form.key(name)}
      label={shared("optional", { label: t(name) })}
      description={help}
      autoComplete="off"
      maxLength={maxLength}
      {...field(name)}
    />
  );
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      {accounts.length > 1 && (
        <NativeSelect key={form.key("account")} label={t("account")} data={[...accounts]} {...field("account")} />
      )}
      <div className={classes.row}>
        <MoneyInput
          key={form.key("amount")}
          label={t("amount")}
          text={typed.amount}
          currency={typed.currency}
          locale={locale}
          preview={{ empty: t("previewEmpty"), understood: (amount) => t("preview", { amount }) }}
          {...firstField(field("amount"))}
        />
        <NativeSelect key={form.key("currency")} label={t("currency")} data={[...currencies]} {...field("currency")} />
      </div>
      <TextInput
        key={form.key("received")}
        type="date"
        label={shared("optional", { label: t("received") })}
        description={t("receivedHelp")}
        {...field("received")}
      />
      {text("description", limits.description)}
      {text("reference", limits.reference, t("referenceHelp"))}
      <div className={classes.pair}>
        {text("customer", limits.name)}
        <TextInput
          key={form.key("email")}
          type="email"
          label={shared("optional", { label: t("email") })}
          autoComplete="off"
          {...field("email")}
        />
      </div>
      <TextInput
        key={form.key("request")}
        label={shared("optional", { label: t("request") })}
        description={t("requestHelp")}
        autoComplete="off"
        {...field("request")}
      />
      <div className={classes.actions}>
        <Button type="submit" loading={isSending}>
          {t("submit")}
        </Button>
        <ButtonLink href="/dashboard/transactions" variant="outline">
          {t("cancel")}
        </ButtonLink>
      </div>
    </form>
  );
}
