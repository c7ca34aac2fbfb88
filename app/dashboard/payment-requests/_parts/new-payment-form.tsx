// Asks what for, how much and whom; creates the payment request and hands out its link.
"use client";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { ButtonLink } from "@/app/_ui/button-link";
import classes from "@/app/_ui/form.module.css";
import { MoneyInput } from "@/app/_ui/money-input";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { CreatedPayment } from "./created-payment";
import { type Choices, useNewPayment } from "./new-payment";

interface Option {
  value: string;
  label: string;
}

interface Props extends Choices {
  currencies: readonly Option[];
  accounts: readonly Option[];
  /** Characters at most. */
  descriptionLength: number;
}

export function NewPaymentForm({ currencies, accounts, descriptionLength, ...choices }: Props) {
  const t = useTranslations("newPayment");
  const { form, typed, created, startAgain, formProps, isSending, summary } = useNewPayment(choices);
  const field = (name: Parameters<typeof form.getInputProps>[0]) => ({ id: name, name, ...form.getInputProps(name) });
  if (created !== null) return <CreatedPayment {...created} locale={choices.locale} onAgain={startAgain} />;
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <TextInput
        key={form.key("description")}
        label={t("description")}
        description={t("descriptionHelp")}
        autoComplete="off"
        maxLength={descriptionLength}
        {...field("description")}
      />
      <div className={classes.row}>
        <MoneyInput
          key={form.key("amount")}
          label={t("amount")}
          text={typed.amount}
          currency={typed.currency}
          locale={choices.locale}
          {...field("amount")}
        />
        <NativeSelect key={form.key("currency")} label={t("currency")} data={[...currencies]} {...field("currency")} />
      </div>
      {accounts.length > 1 && (
        <NativeSelect key={form.key("account")} label={t("account")} data={[...accounts]} {...field("account")} />
      )}
      <TextInput
        key={form.key("email")}
        type="email"
        label={t("customerEmail")}
        description={t("optional")}
        autoComplete="off"
        {...field("email")}
      />
      <div className={classes.actions}>
        <Button type="submit" loading={isSending}>
          {t("submit")}
        </Button>
        <ButtonLink href="/dashboard/payment-requests" variant="outline">
          {t("cancel")}
        </ButtonLink>
      </div>
    </form>
  );
}
