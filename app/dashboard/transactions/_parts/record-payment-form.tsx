// The form that records a received payment: payment request, account, amount, description and customer.
"use client";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { ButtonLink } from "@/app/_ui/button-link";
import { firstField } from "@/app/_ui/first-field";
import classes from "@/app/_ui/form.module.css";
import { MoneyInput } from "@/app/_ui/money-input";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { limits } from "@/server/kit/limits";
import { CustomerNameField } from "../../customers/_parts/customer-name-field";
import type { MovedAccount } from "./movement";
import { SourceField } from "./movement-fields";
import type { MethodOption } from "./offline-methods";
import { type Initial, useRecordPayment } from "./record-payment";
import { RequestSelect } from "./request-select";

interface Option {
  value: string;
  label: string;
}

interface Props extends Omit<Initial, "account"> {
  currencies: readonly Option[];
  /** The reader's own accounts; null if the reader may choose among all of the organization. */
  own: readonly MovedAccount[] | null;
  account: MovedAccount | null;
  methods: readonly MethodOption[];
  /** Where canceling leads. */
  from: string;
}

export function RecordPaymentForm({ currencies, own, account, methods, from, ...initial }: Props) {
  const t = useTranslations("recordPayment");
  const shared = useTranslations("form");
  const optional = (name: Parameters<typeof t>[0]) => shared("optional", { label: t(name) });
  const { locale } = initial;
  const recording = useRecordPayment({ ...initial, account: account?.account_id ?? "" });
  const { form, typed, request, formProps, isSending, summary } = recording;
  const field = (name: Parameters<typeof form.getInputProps>[0]) => ({ id: name, name, ...form.getInputProps(name) });
  const text = (name: "description" | "reference" | "note", maxLength: number, help?: string) => (
    <TextInput
      key={form.key(name)}
      label={optional(name)}
      description={help}
      autoComplete="off"
      maxLength={maxLength}
      {...field(name)}
    />
  );
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <TargetFields {...{ recording, initial, own, account }} />
      <div className={classes.row}>
        <MoneyInput
          key={form.key("amount")}
          label={t("amount")}
          text={typed.amount}
          currency={typed.currency}
          locale={locale}
          preview={{ empty: t("previewEmpty"), understood: (amount) => t("preview", { amount }) }}
          // Choosing a request draws the field anew, which must not move the focus.
          {...(request === initial.request ? firstField(field("amount")) : field("amount"))}
        />
        <NativeSelect key={form.key("currency")} label={t("currency")} data={[...currencies]} {...field("currency")} />
      </div>
      <PayerFields recording={recording} />
      <div className={classes.pair}>
        <NativeSelect key={form.key("method")} label={optional("method")} data={[...methods]} {...field("method")} />
        <TextInput
          key={form.key("received")}
          type="date"
          label={optional("received")}
          description={t("receivedHelp")}
          {...field("received")}
        />
      </div>
      {text("description", limits.description)}
      {text("reference", limits.reference, t("referenceHelp"))}
      {text("note", limits.reason, t("noteHelp"))}
      <div className={classes.actions}>
        <Button type="submit" loading={isSending}>
          {t("submit")}
        </Button>
        <ButtonLink href={from} variant="outline">
          {t("cancel")}
        </ButtonLink>
      </div>
    </form>
  );
}

/** Who has paid: one of the account's customers, or somebody new. */
function PayerFields({ recording }: Pick<TargetProps, "recording">) {
  const { form, typed, request, hint, chooseCustomer, changeName } = recording;
  const t = useTranslations("recordPayment");
  const shared = useTranslations("form");
  const field = (name: "customer" | "email") => ({ id: name, name, ...form.getInputProps(name) });
  const { onChange, ...nameField } = field("customer");
  return (
    <div className={classes.pair}>
      <CustomerNameField
        key={form.key("customer")}
        label={shared("optional", { label: t("customer") })}
        // A payment request has its own customer.
        accountId={request === null ? typed.account : ""}
        hint={hint}
        {...nameField}
        onChange={(name) => {
          onChange(name);
          changeName(name);
        }}
        onCustomer={chooseCustomer}
      />
      <TextInput
        key={form.key("email")}
        type="email"
        label={shared("optional", { label: t("email") })}
        autoComplete="off"
        {...field("email")}
      />
    </div>
  );
}

interface TargetProps extends Pick<Props, "own" | "account"> {
  recording: ReturnType<typeof useRecordPayment>;
  initial: Omit<Initial, "account">;
}

/** What the money is for: a payment request, or otherwise only an account. */
function TargetFields({ recording: { form, request, chooseRequest }, initial, own, account }: TargetProps) {
  const t = useTranslations("recordPayment");
  const shared = useTranslations("form");
  const field = (name: "account" | "request") => ({ id: name, name, ...form.getInputProps(name) });
  return (
    <>
      <RequestSelect
        label={shared("optional", { label: t("request") })}
        description={t("requestHelp")}
        nothing={t("noneChosen")}
        initial={initial.request}
        locale={initial.locale}
        onRequest={chooseRequest}
        {...field("request")}
      />
      {request === null && (own === null || own.length > 1) && (
        <SourceField
          key={form.key("account")}
          label={t("account")}
          {...{ own, initial: account, onAccount: () => {}, ...field("account") }}
        />
      )}
    </>
  );
}
