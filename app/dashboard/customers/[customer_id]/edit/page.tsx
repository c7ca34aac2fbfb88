// The form that changes a customer.
import type { Metadata } from "next";
import { forbidden, redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { countryOptions } from "@/app/_i18n/country-options";
import { viewer } from "@/app/_i18n/viewer";
import { findAccount } from "@/app/_trpc/accounts";
import { userMay } from "@/app/_trpc/may";
import classes from "@/app/_ui/form-page.module.css";
import { Card, PageHead } from "@/app/_ui/page-frame";
import { accountChoices } from "../../../accounts/_parts/choices";
import { hintsOf } from "../../../accounts/_parts/country-hints";
import { readerOf } from "../../_parts/customer-page";
import { customerPath, isCurrent, nameOf } from "../../_parts/customer-path";
import { valuesOf } from "../../_parts/customer-values";
import { EditCustomerForm } from "../../_parts/edit-customer-form";

interface Props {
  params: Promise<{ customer_id: string }>;
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("customers");
  return { title: t("editTitle") };
}

export default async function EditCustomerPage({ params }: Props) {
  const { customer_id: id } = await params;
  const { user, customer } = await readerOf(id, "/edit");
  if (!userMay(user, "customers.write")) forbidden();
  // One that was merged or erased cannot be changed; its page says so.
  if (!isCurrent(customer)) redirect(customerPath(id));
  const [t, reader, account] = await Promise.all([
    getTranslations("customers"),
    viewer(),
    findAccount(customer.account_id),
  ]);
  const name = nameOf(customer) ?? "";
  return (
    <div className={classes.page}>
      <PageHead title={t("editOf", { name })} back={{ href: customerPath(id), label: name }} />
      <Card padded>
        <EditCustomerForm
          id={id}
          saved={valuesOf(customer)}
          languages={accountChoices(reader.locale, { language: customer.locale }).languages}
          countries={countryOptions(reader.language, hintsOf(account ?? undefined, reader))}
        />
      </Card>
    </div>
  );
}
