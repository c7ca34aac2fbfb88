// Setting up an authenticator app, from the profile.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireUser } from "@/app/_trpc/session";
import classes from "@/app/_ui/form-page.module.css";
import { Card, PageHead } from "@/app/_ui/page-frame";
import { AuthenticatorForm } from "./_parts/authenticator-form";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("factors");
  return { title: t("setUpTitle") };
}

export default async function AuthenticatorPage() {
  await requireUser("/dashboard/profile/authenticator");
  const [t, profile] = await Promise.all([getTranslations("factors"), getTranslations("profile")]);
  return (
    <div className={classes.page}>
      <PageHead title={t("setUpTitle")} back={{ href: "/dashboard/profile", label: profile("title") }} />
      <Card padded>
        <AuthenticatorForm />
      </Card>
    </div>
  );
}
