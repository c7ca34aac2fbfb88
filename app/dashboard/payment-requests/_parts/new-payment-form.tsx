// Asks what for, how much and whom; creates the payment request and hands out its link.
"use client";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { ButtonLink } from "@/app/_ui/button-link";
import { isEmail } from "@/app/_ui/email-text";
import classes from "@/app/_ui/form.module.css";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { MoneyInput } from "@/app/_ui/money-input";
import { useMoneyProblem } from "@/app/_ui/money-problem";
import { parseMoney } from "@/app/_ui/money-text";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { CreatedPayment } from "./created-payment";

interface Option {
  value: string;
  label: string;
}

interface Props {
  /** For numbers. */
  locale: string;
  currencies: readonly Option[];
  currency: string;
  /** Empty where the server alone decides which account is meant. */
  accounts: readonly Option[];
  account: string;
  /** Characters at most. */
  descriptionLength: number;
}

export function NewPaymentForm({ locale, currencies, currency, accounts, account, descriptionLength }: Props) {
  const t = useTranslations("newPayment");
  const api = useTRPCClient();
  const moneyProblem = useMoneyProblem(locale);
  const { keyFor, renew } = useIdempotencyKey();
  const [created, setCreated] = useState<{ url: string; amount: number; currency: string } | null>(null);
  const form = useForm({
    initialValues: { description: "", amount: "", currency, account, email: "" },
    validateInputOnBlur: true,
    validate: {
      description: (value) => (value.trim() === "" ? t("descriptionMissing") : null),
      amount: (value, values) => moneyProblem(value, values.currency),
      email: (value) => (value.trim() === "" || isEmail(value) ? null : t("emailWrong")),
    },
  });

  async function send(values: typeof form.values) {
    const parsed = parseMoney(values.amount, values.currency, locale);
    if (!("amount" in parsed)) throw new Error("The form was sent with an amount that it had refused.");
    const email = values.email.trim();
    const input = {
      type: "product" as const,
      amount: parsed.amount,
      currency: values.currency,
      description: values.description.trim(),
      ...(values.account === "" ? {} : { account_id: values.account }),
      ...(email === "" ? {} : { customer: { email } }),
    };
    return api.payments.create.mutate(input, { context: { idempotencyKey: keyFor(input) } });
  }

  const { onSubmit, isSending, summary } = useFormSubmission(
    form,
    send,
    ({ payment_url: url, amount, currency: code }) => {
      setCreated({ url: url ?? "", amount, currency: code });
      renew();
    },
  );

  if (created !== null) {
    const again = () => {
      form.reset();
      setCreated(null);
    };
    return <CreatedPayment {...created} locale={locale} onAgain={again} />;
  }
  return (
    <form method="post" noValidate onSubmit={onSubmit} className={classes.fields}>
      <ProblemSummary {...summary} />
      <TextInput
        id="description"
        name="description"
        label={t("description")}
        description={t("descriptionHelp")}
        autoComplete="off"
        maxLength={descriptionLength}
        {...form.getInputProps("description")}
      />
      <div className={classes.row}>
        <MoneyInput
          id="amount"
          label={t("amount")}
          currency={form.values.currency}
          locale={locale}
          {...form.getInputProps("amount")}
        />
        <NativeSelect
          id="currency"
          name="currency"
          label={t("currency")}
          data={[...currencies]}
          {...form.getInputProps("currency")}
        />
      </div>
      {accounts.length > 1 && (
        <NativeSelect
          id="account"
          name="account"
          label={t("account")}
          data={[...accounts]}
          {...form.getInputProps("account")}
        />
      )}
      <TextInput
        id="email"
        name="email"
        type="email"
        label={t("customerEmail")}
        description={t("optional")}
        autoComplete="off"
        {...form.getInputProps("email")}
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
