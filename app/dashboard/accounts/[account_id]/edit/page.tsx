// The form that changes an account.
import type { Metadata } from "next";
import { forbidden, redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { countryOptions } from "@/app/_i18n/country-options";
import { viewer } from "@/app/_i18n/viewer";
import { userMay } from "@/app/_trpc/may";
import classes from "@/app/_ui/form-page.module.css";
import { Card, PageHead } from "@/app/_ui/page-frame";
import { accountTag } from "@/server/domains/accounts/rules";
import { pathOf, readerOf } from "../../_parts/account-page";
import { valuesOf } from "../../_parts/account-values";
import { accountChoices } from "../../_parts/choices";
import { hintsOf } from "../../_parts/country-hints";
import { EditAccountForm } from "../../_parts/edit-account-form";
import { logoPath } from "../../_parts/logo-path";

interface Props {
  params: Promise<{ account_id: string }>;
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("accounts");
  return { title: t("editTitle") };
}

export default async function EditAccountPage({ params }: Props) {
  const { account_id: id } = await params;
  const { user, account } = await readerOf(id, "/edit");
  if (!userMay(user, "accounts.update")) forbidden();
  const [t, reader] = await Promise.all([getTranslations("accounts"), viewer()]);
  // A closed account cannot be changed; its page says so.
  if (account.status === "closed") redirect(pathOf(id));
  const { account_name: name, preferences } = account;
  const given = { language: preferences.locale, timeZone: preferences.timezone };
  return (
    <div className={classes.page}>
      <PageHead title={t("editOf", { name })} back={{ href: pathOf(id), label: name }} />
      <Card padded>
        <EditAccountForm
          id={id}
          saved={{ values: valuesOf(account), version: `"${accountTag(account)}"` }}
          logo={logoPath(preferences)}
          choices={accountChoices(reader.locale, given)}
          countries={countryOptions(reader.language, hintsOf(account, reader))}
          conflict={preferences.invoice.prefix_conflict}
        />
      </Card>
    </div>
  );
}
