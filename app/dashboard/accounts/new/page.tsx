// The form for a new account.
import type { Metadata } from "next";
import { forbidden } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { userMay } from "@/app/_trpc/may";
import { requireUser } from "@/app/_trpc/session";
import classes from "@/app/_ui/form-page.module.css";
import { Card, PageHead } from "@/app/_ui/page-frame";
import { accountChoices } from "../_parts/choices";
import { NewAccountForm } from "../_parts/new-account-form";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("accounts");
  return { title: t("newTitle") };
}

export default async function NewAccountPage() {
  const user = await requireUser("/dashboard/accounts/new");
  if (!userMay(user, "accounts.create")) forbidden();
  const [t, { locale }] = await Promise.all([getTranslations("accounts"), viewer()]);
  return (
    <div className={classes.page}>
      <PageHead title={t("newTitle")} back={{ href: "/dashboard/accounts", label: t("title") }} />
      <Card padded>
        <NewAccountForm choices={accountChoices(locale)} choosesOwner={userMay(user, "accounts.create.forOthers")} />
      </Card>
    </div>
  );
}
