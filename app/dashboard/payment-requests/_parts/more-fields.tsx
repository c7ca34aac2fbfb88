// The optional fields of a payment request: type, line items, capture, dates, reference, metadata.
"use client";
import { NativeSelect, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import type { ChangeEvent } from "react";
import form from "@/app/_ui/form.module.css";
import type { Language } from "@/server/kit/languages";
import { limits } from "@/server/kit/limits";
import { usualDueDay } from "./due-days";
import { DueField } from "./due-field";
import { InvoiceFields } from "./invoice-fields";
import { LineItemFields } from "./line-item-fields";
import { LinkFields } from "./link-fields";
import { isReusableForm, mayHaveTrial } from "./link-values";
import { MetadataFields } from "./metadata-fields";
import type { RequestForm } from "./new-payment";
import { PartFields } from "./part-fields";
import { ReminderField } from "./reminder-field";
import { hasInstallments, type RequestValues } from "./request-values";
import { SubscriptionSentence } from "./subscription-sentence";

export interface MoreProps {
  form: RequestForm;
  typed: RequestValues;
  locale: string;
}

export interface DatedProps extends MoreProps {
  /** The reader's day, by the organization's clock. */
  today: string;
}

const types = ["product", "invoice", "subscription"] as const;
const intervals = ["day", "week", "month", "year"] as const;
/** The languages of the pay page, by their own names. */
const languages: Record<Language, string> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  ja: "日本語",
  ar: "العربية",
};
const languageOptions = Object.entries(languages).map(([value, label]) => ({ value, label }));

export function MoreFields(props: DatedProps) {
  const { form: fields, typed, today } = props;
  const t = useTranslations("newPayment");
  const shared = useTranslations("form");
  const field = (name: string) => ({ id: name, name, ...fields.getInputProps(name) });
  const { onChange: changeType, ...type } = field("type");
  function chooseType(event: ChangeEvent<HTMLSelectElement>) {
    changeType(event);
    if (event.currentTarget.value !== "invoice" || typed.due !== "") return;
    fields.setFieldValue("due", usualDueDay(typed.issueDate || today));
  }
  return (
    <>
      <div className={form.pair}>
        <NativeSelect
          key={fields.key("type")}
          label={t("type")}
          data={types.map((value) => ({ value, label: t(`types.${value}`) }))}
          onChange={chooseType}
          {...type}
        />
        <NativeSelect
          key={fields.key("capture")}
          label={t("capture")}
          description={typed.capture === "manual" ? t("captureManualHelp", { days: limits.captureDays }) : undefined}
          data={(["automatic", "manual"] as const).map((value) => ({ value, label: t(`captures.${value}`) }))}
          {...field("capture")}
        />
      </div>
      <LineItemFields {...props} />
      {typed.type === "invoice" && !hasInstallments(typed) && <DueField {...props} />}
      {typed.type === "invoice" && <InvoiceFields form={fields} />}
      {typed.type === "subscription" && <Terms {...props} />}
      <LinkFields {...props} />
      <PartFields {...props} />
      <div className={form.pair}>
        <TextInput
          key={fields.key("expires")}
          type="date"
          label={shared("optional", { label: t("expires") })}
          description={
            typed.type === "invoice" || hasInstallments(typed)
              ? t("expiresInvoiceHelp")
              : t("expiresHelp", { days: limits.expiryDays.default })
          }
          {...field("expires")}
        />
        <TextInput
          key={fields.key("reference")}
          label={shared("optional", { label: t("reference") })}
          description={t("referenceHelp")}
          autoComplete="off"
          maxLength={limits.reference}
          {...field("reference")}
        />
      </div>
      {!isReusableForm(typed) && <ReminderField form={fields} typed={typed} />}
      <PageFields {...props} />
      <MetadataFields {...props} />
    </>
  );
}

/** What the payment page is like for the customer. */
function PageFields({ form: fields, typed }: MoreProps) {
  const t = useTranslations("newPayment");
  const shared = useTranslations("form");
  const field = (name: string) => ({ id: name, name, ...fields.getInputProps(name) });
  return (
    <div className={form.pair}>
      <NativeSelect
        key={fields.key("locale")}
        label={t(typed.type === "invoice" ? "languageInvoice" : "language")}
        data={[{ value: "", label: t("languageOfCustomer") }, ...languageOptions]}
        {...field("locale")}
      />
      <TextInput
        key={fields.key("returnUrl")}
        type="url"
        label={shared("optional", { label: t("returnUrl") })}
        description={t("returnUrlHelp")}
        autoComplete="off"
        {...field("returnUrl")}
      />
      <TextInput
        key={fields.key("cancelUrl")}
        type="url"
        label={shared("optional", { label: t("cancelUrl") })}
        description={t("cancelUrlHelp")}
        autoComplete="off"
        {...field("cancelUrl")}
      />
    </div>
  );
}

/** How often a subscription is charged. */
function Terms({ form: fields, typed, locale }: MoreProps) {
  const t = useTranslations("newPayment");
  const shared = useTranslations("form");
  const field = (name: string) => ({ id: name, name, ...fields.getInputProps(name) });
  return (
    <>
      <div className={form.row}>
        <TextInput
          key={fields.key("intervalCount")}
          inputMode="numeric"
          label={t("intervalCount")}
          {...field("intervalCount")}
        />
        <NativeSelect
          key={fields.key("interval")}
          label={t("interval")}
          data={intervals.map((value) => ({ value, label: t(`intervals.${value}`) }))}
          {...field("interval")}
        />
      </div>
      <div className={form.pair}>
        <TextInput
          key={fields.key("cycles")}
          inputMode="numeric"
          label={shared("optional", { label: t("cycles") })}
          description={t("cyclesHelp")}
          {...field("cycles")}
        />
        {mayHaveTrial(typed) && (
          <TextInput
            key={fields.key("trial")}
            inputMode="numeric"
            label={shared("optional", { label: t("trial") })}
            description={t("trialHelp")}
            {...field("trial")}
          />
        )}
      </div>
      <SubscriptionSentence values={typed} locale={locale} />
    </>
  );
}
