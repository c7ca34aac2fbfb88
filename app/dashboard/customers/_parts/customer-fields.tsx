// The fields of a customer, for the forms of a new and an existing one.
"use client";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import type { CountryOption } from "@/app/_i18n/country-options";
import { ButtonLink } from "@/app/_ui/button-link";
import { CountryField } from "@/app/_ui/country-field";
import { firstField } from "@/app/_ui/first-field";
import classes from "@/app/_ui/form.module.css";
import { limits } from "@/server/kit/limits";
import { FieldGroup } from "../../accounts/_parts/account-fields";
import own from "../../accounts/_parts/account-fields.module.css";
import { MetadataFields } from "../../accounts/_parts/metadata-fields";
import type { CustomerForm } from "./customer-form";
import type { TextField } from "./customer-values";

export interface Option {
  value: string;
  label: string;
}

interface Props extends Pick<CustomerForm, "form" | "field"> {
  /** The languages that a customer can have. */
  languages: readonly Option[];
  countries: readonly CountryOption[];
  /** Whether the name has the focus on arrival. */
  isFirst?: boolean;
}

type Typed = Exclude<TextField, "locale" | "country">;

const lengths: Readonly<Record<Typed, number>> = {
  ...{ name: limits.name, email: limits.email, phone: limits.phone, reference: limits.reference },
  ...{ tax_id: limits.taxId, line1: limits.address.line, line2: limits.address.line, city: limits.address.line },
  ...{ region: limits.address.line, postal_code: limits.address.postalCode },
};

export function CustomerFields({ form, field, languages, countries, isFirst = false }: Props) {
  const t = useTranslations("customerForm");
  const text = (name: Typed, type = "text") => ({
    type,
    label: t(name),
    autoComplete: "off",
    maxLength: lengths[name],
    ...(isFirst && name === "name" ? firstField(field(name)) : field(name)),
  });
  return (
    <>
      <TextInput key={form.key("name")} {...text("name")} />
      <div className={own.pair}>
        <TextInput key={form.key("email")} {...text("email", "email")} />
        <TextInput key={form.key("phone")} {...text("phone", "tel")} />
      </div>
      <div className={own.pair}>
        <TextInput key={form.key("reference")} description={t("referenceHelp")} {...text("reference")} />
        <TextInput key={form.key("tax_id")} description={t("taxIdHelp")} {...text("tax_id")} />
      </div>
      <NativeSelect
        key={form.key("locale")}
        label={t("locale")}
        data={[{ value: "", label: t("unset") }, ...languages]}
        {...field("locale")}
      />
      <FieldGroup legend={t("address")}>
        <TextInput key={form.key("line1")} {...text("line1")} />
        <TextInput key={form.key("line2")} {...text("line2")} />
        <div className={own.pair}>
          <TextInput key={form.key("postal_code")} {...text("postal_code")} />
          <TextInput key={form.key("city")} {...text("city")} />
        </div>
        <div className={own.pair}>
          <TextInput key={form.key("region")} {...text("region")} />
          <CountryField key={form.key("country")} label={t("country")} countries={countries} {...field("country")} />
        </div>
      </FieldGroup>
      <FieldGroup legend={t("metadata")} help={t("metadataHelp")}>
        <MetadataFields form={form} field={field} />
      </FieldGroup>
    </>
  );
}

interface ActionsProps {
  submit: string;
  /** Where canceling leads. */
  back: string;
  isSending: boolean;
}

export function FormActions({ submit, back, isSending }: ActionsProps) {
  const t = useTranslations("customerForm");
  return (
    <div className={classes.actions}>
      <Button type="submit" loading={isSending}>
        {submit}
      </Button>
      <ButtonLink href={back} variant="outline">
        {t("cancel")}
      </ButtonLink>
    </div>
  );
}
