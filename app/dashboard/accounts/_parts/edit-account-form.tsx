// The form that changes an account; keeps the typed values and shows what someone else has changed meanwhile.
"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import type { CountryOption } from "@/app/_i18n/country-options";
import { ButtonLink } from "@/app/_ui/button-link";
import classes from "@/app/_ui/form.module.css";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import type { Account } from "./account-columns";
import { MetadataGroup, NameFields, PreferenceFields } from "./account-fields";
import type { AccountChoices } from "./account-form";
import { BrandingFields } from "./branding-fields";
import { type Saved, useEditAccount } from "./edit-account";
import { InvoiceFields } from "./invoice-fields";
import { MailFields } from "./mail-fields";

interface Props {
  id: string;
  saved: Saved;
  /** The path of the logo; null without one. */
  logo: string | null;
  choices: AccountChoices;
  countries: readonly CountryOption[];
  conflict: Account["preferences"]["invoice"]["prefix_conflict"];
}

export function EditAccountForm({ id, saved, logo, choices, countries, conflict }: Props) {
  const t = useTranslations("accountForm");
  const { form, field: plainField, color, clashes, formProps, isSending, summary } = useEditAccount(id, saved);
  /** The saved value, below a field that both have changed. */
  const field = (name: string) => {
    const [theirs, props] = [clashes[clashOf(name)], plainField(name)];
    if (theirs === undefined || props.error) return props;
    const value = name === "country" ? countries.find((one) => one.value === theirs)?.label : theirs;
    return { ...props, error: theirs === "" ? t("clashEmpty") : t("clash", { value: value ?? theirs }) };
  };
  const clashOf = (name: string): string => {
    const [list, index, part] = name.split(".");
    if (list !== "metadata" || part !== "value") return name;
    return `metadata.${form.getValues().metadata[Number(index)]?.key}`;
  };
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <NameFields form={form} field={field} />
      <PreferenceFields form={form} field={field} choices={choices} />
      <BrandingFields accountId={id} logo={logo} form={form} field={field} color={color} />
      <MailFields form={form} />
      <InvoiceFields form={form} field={field} countries={countries} conflict={conflict} />
      <MetadataGroup form={form} field={field} />
      <div className={classes.actions}>
        <Button type="submit" loading={isSending}>
          {t("save")}
        </Button>
        <ButtonLink href={`/dashboard/accounts/${id}`} variant="outline">
          {t("cancel")}
        </ButtonLink>
      </div>
    </form>
  );
}
