// The form that changes a customer.
"use client";
import { useTranslations } from "next-intl";
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
}

export function EditCustomerForm({ id, saved, languages }: Props) {
  const t = useTranslations("customerForm");
  const { form, field, formProps, isSending, summary } = useEditCustomer(id, saved);
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <CustomerFields form={form} field={field} languages={languages} />
      <FormActions submit={t("save")} back={customerPath(id)} isSending={isSending} />
    </form>
  );
}
