// The fields that the forms for a new and an existing account share.
"use client";
import { NativeSelect, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { firstField } from "@/app/_ui/first-field";
import { limits } from "@/server/kit/limits";
import classes from "./account-fields.module.css";
import type { AccountChoices, AccountForm } from "./account-form";
import { MetadataFields } from "./metadata-fields";

/** Characters of a color in CSS hexadecimal notation. */
const colorLength = "#rrggbb".length;

/** An hour as a time of day: "09:00". */
const timeOf = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: timeOf(hour) }));

interface FieldsProps extends Pick<AccountForm, "form" | "field" | "color"> {
  choices: AccountChoices;
}

interface NameProps extends Pick<FieldsProps, "form" | "field"> {
  /** Whether the name has the focus on arrival. */
  isFirst?: boolean;
}

export function NameFields({ form, field, isFirst = false }: NameProps) {
  const t = useTranslations("accountForm");
  const name = field("account_name");
  return (
    <>
      <TextInput
        key={form.key("account_name")}
        label={t("name")}
        description={t("nameHelp")}
        autoComplete="off"
        maxLength={limits.name}
        {...(isFirst ? firstField(name) : name)}
      />
      <TextInput
        key={form.key("email")}
        type="email"
        label={t("email")}
        description={t("emailHelp")}
        autoComplete="off"
        maxLength={limits.email}
        {...field("email")}
      />
    </>
  );
}

interface PreferencesProps extends Omit<FieldsProps, "color"> {
  /** Further fields. */
  children?: ReactNode;
}

export function PreferenceFields({ form, field, choices, children }: PreferencesProps) {
  const t = useTranslations("accountForm");
  const unset = { value: "", label: t("unset") };
  return (
    <FieldGroup legend={t("preferences")}>
      <div className={classes.pair}>
        <NativeSelect
          key={form.key("default_currency")}
          label={t("currency")}
          data={[unset, ...choices.currencies]}
          {...field("default_currency")}
        />
        <NativeSelect
          key={form.key("timezone")}
          label={t("timezone")}
          data={[unset, ...choices.timeZones]}
          {...field("timezone")}
        />
      </div>
      <NativeSelect
        key={form.key("locale")}
        label={t("locale")}
        description={t("localeHelp")}
        data={[unset, ...choices.languages]}
        {...field("locale")}
      />
      <TextInput
        key={form.key("statement_descriptor")}
        label={t("descriptor")}
        description={t("descriptorHelp", { count: limits.statementDescriptor })}
        autoComplete="off"
        maxLength={limits.statementDescriptor}
        {...field("statement_descriptor")}
      />
      <NativeSelect
        key={form.key("reminder_hour")}
        label={t("reminderHour")}
        description={t("reminderHourHelp", { hour: timeOf(limits.reminders.hour) })}
        data={[unset, ...hours]}
        {...field("reminder_hour")}
      />
      {children}
    </FieldGroup>
  );
}

export function ColorField({ form, field, color }: Pick<FieldsProps, "form" | "field" | "color">) {
  const t = useTranslations("accountForm");
  return (
    <TextInput
      key={form.key("color")}
      label={t("color")}
      description={t("colorHelp")}
      autoComplete="off"
      maxLength={colorLength}
      leftSection={
        <input
          type="color"
          className={classes.color}
          data-unset={color === "" || undefined}
          aria-label={t("pickColor")}
          value={/^#[0-9a-f]{6}$/i.test(color) ? color.toLowerCase() : "#ffffff"}
          onChange={(event) => form.setFieldValue("color", event.currentTarget.value)}
        />
      }
      {...field("color")}
    />
  );
}

export function MetadataGroup({ form, field }: Pick<FieldsProps, "form" | "field">) {
  const t = useTranslations("accountForm");
  return (
    <FieldGroup legend={t("metadata")} help={t("metadataHelp")}>
      <MetadataFields form={form} field={field} />
    </FieldGroup>
  );
}

export function FieldGroup({ legend, help, children }: { legend: string; help?: string; children: ReactNode }) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{legend}</legend>
      {help && <p className={classes.help}>{help}</p>}
      {children}
    </fieldset>
  );
}
