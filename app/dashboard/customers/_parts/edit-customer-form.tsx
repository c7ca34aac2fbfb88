// The form that changes a customer.
"use client";
import { useTranslations } from "next-intl";
import type { CountryOption } from "@/app/_i18n/country-options";
import classes from "@/app/_ui/form.module.css";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { CustomerFields, FormActions, type Option } from "./customer-fields";
import { useEditCustomer } from "./customer-form";
import { customerPath } from "./customer-path";
import type { CustomerValues } from "./customer-values";

interface Props {
  id: string;
  saved: CustomerValues;
  languages: readonly Option[];
  countries: readonly CountryOption[];
}

export function EditCustomerForm({ id, saved, languages, countries }: Props) {
  const t = useTranslations("customerForm");
  const { form, field, formProps, isSending, summary } = useEditCustomer(id, saved);
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <CustomerFields form={form} field={field} languages={languages} countries={countries} />
      <FormActions submit={t("save")} back={customerPath(id)} isSending={isSending} />
    </form>
  );
}
