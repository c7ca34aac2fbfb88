// Replacing the recovery codes, from the profile.
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { api } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import classes from "@/app/_ui/form-page.module.css";
import { Card, PageHead } from "@/app/_ui/page-frame";
import { NewCodesForm } from "./_parts/new-codes-form";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("factors");
  return { title: t("renewTitle") };
}

export default async function RecoveryCodesPage() {
  await requireUser("/dashboard/profile/recovery-codes");
  const { totp_since: app, passkeys } = await (await api()).factors.own({});
  if (app === null && passkeys.length === 0) redirect("/dashboard/profile");
  const [t, profile] = await Promise.all([getTranslations("factors"), getTranslations("profile")]);
  return (
    <div className={classes.page}>
      <PageHead title={t("renewTitle")} back={{ href: "/dashboard/profile", label: profile("title") }} />
      <Card padded>
        <NewCodesForm />
      </Card>
    </div>
  );
}
