// The form for a new customer.
"use client";
import { NativeSelect } from "@mantine/core";
import { useTranslations } from "next-intl";
import type { CountryOption } from "@/app/_i18n/country-options";
import classes from "@/app/_ui/form.module.css";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { CustomerFields, FormActions, type Option } from "./customer-fields";
import { useNewCustomer } from "./customer-form";
import { listPath } from "./customer-path";
import { blankValues } from "./customer-values";

interface Props {
  languages: readonly Option[];
  countries: readonly CountryOption[];
  /** The accounts whose customer it can be, the preselected one first. */
  accounts: readonly Option[];
}

export function NewCustomerForm({ languages, countries, accounts }: Props) {
  const t = useTranslations("customerForm");
  const { form, field, formProps, isSending, summary } = useNewCustomer(blankValues(accounts[0]?.value ?? ""));
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      {accounts.length > 1 && (
        <NativeSelect key={form.key("account")} label={t("account")} data={[...accounts]} {...field("account")} />
      )}
      <CustomerFields form={form} field={field} languages={languages} countries={countries} isFirst />
      <FormActions submit={t("create")} back={listPath} isSending={isSending} />
    </form>
  );
}
