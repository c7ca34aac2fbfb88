// What invoices say about an account: its legal name, address and tax number, the prefix of numbers, the last line.
"use client";
import { Textarea, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import type { CountryOption } from "@/app/_i18n/country-options";
import { CountryField } from "@/app/_ui/country-field";
import { limits } from "@/server/kit/limits";
import type { Account } from "./account-columns";
import { FieldGroup } from "./account-fields";
import classes from "./account-fields.module.css";
import type { AccountForm } from "./account-form";

const { line, postalCode } = limits.address;
const lengths = {
  ...{ legal_name: limits.invoice.legalName, tax_id: limits.taxId, number_prefix: limits.invoice.prefix },
  ...{ line1: line, line2: line, postal_code: postalCode, city: line, region: line },
};

interface Props extends Pick<AccountForm, "form" | "field"> {
  countries: readonly CountryOption[];
  /** Another account with the saved tax number and prefix; null if there is none. */
  conflict: Account["preferences"]["invoice"]["prefix_conflict"];
}

export function InvoiceFields({ form, field, countries, conflict }: Props) {
  const t = useTranslations("accountForm");
  const place = useTranslations("customerForm");
  const text = (name: keyof typeof lengths, label: string) => ({
    label,
    autoComplete: "off",
    maxLength: lengths[name],
    ...field(name),
  });
  const taken = conflict && {
    name: conflict.account_name ?? t("prefixTakenBy"),
    prefix: conflict.proposed_prefix,
  };
  return (
    <FieldGroup legend={t("invoices")} help={t("invoicesHelp")}>
      <TextInput key={form.key("legal_name")} {...text("legal_name", t("legalName"))} />
      <div className={classes.pair}>
        <TextInput key={form.key("tax_id")} {...text("tax_id", t("taxId"))} />
        <TextInput
          key={form.key("number_prefix")}
          description={t("numberPrefixHelp")}
          {...text("number_prefix", t("numberPrefix"))}
        />
      </div>
      {taken && <p className={classes.warning}>{t("prefixTaken", taken)}</p>}
      <TextInput key={form.key("line1")} {...text("line1", place("line1"))} />
      <TextInput key={form.key("line2")} {...text("line2", place("line2"))} />
      <div className={classes.pair}>
        <TextInput key={form.key("postal_code")} {...text("postal_code", place("postal_code"))} />
        <TextInput key={form.key("city")} {...text("city", place("city"))} />
      </div>
      <div className={classes.pair}>
        <TextInput key={form.key("region")} {...text("region", place("region"))} />
        <CountryField key={form.key("country")} label={place("country")} countries={countries} {...field("country")} />
      </div>
      <Textarea
        key={form.key("footer")}
        label={t("footer")}
        description={t("footerHelp")}
        maxLength={limits.invoice.footer}
        autosize
        minRows={2}
        {...field("footer")}
      />
    </FieldGroup>
  );
}
