// The form for a new customer.
import type { Metadata } from "next";
import { forbidden } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { countryOptions } from "@/app/_i18n/country-options";
import { viewer } from "@/app/_i18n/viewer";
import { accountsFor } from "@/app/_trpc/accounts";
import { userMay } from "@/app/_trpc/may";
import { requireUser } from "@/app/_trpc/session";
import classes from "@/app/_ui/form-page.module.css";
import { Card, PageHead } from "@/app/_ui/page-frame";
import { limits } from "@/server/kit/limits";
import { accountChoices } from "../../accounts/_parts/choices";
import { hintsOf } from "../../accounts/_parts/country-hints";
import { listPath } from "../_parts/customer-path";
import { NewCustomerForm } from "../_parts/new-customer-form";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("customers");
  return { title: t("newTitle") };
}

export default async function NewCustomerPage() {
  const user = await requireUser(`${listPath}/new`);
  if (!userMay(user, "customers.write")) forbidden();
  const [t, reader] = await Promise.all([getTranslations("customers"), viewer()]);
  const { data } = await accountsFor(user, { status: ["open"], limit: limits.page.max });
  const ownFirst = data.toSorted(
    (a, b) => Number(b.account_id === user.account_id) - Number(a.account_id === user.account_id),
  );
  return (
    <div className={classes.page}>
      <PageHead title={t("newTitle")} back={{ href: listPath, label: t("title") }} />
      <Card padded>
        <NewCustomerForm
          languages={accountChoices(reader.locale).languages}
          countries={countryOptions(reader.language, hintsOf(ownFirst[0], reader))}
          accounts={ownFirst.map(({ account_id: value, account_name: label }) => ({ value, label }))}
        />
      </Card>
    </div>
  );
}
