// Changing one's own e-mail address, from the profile.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireUser } from "@/app/_trpc/session";
import classes from "@/app/_ui/form-page.module.css";
import { Card, PageHead } from "@/app/_ui/page-frame";
import { EmailForm } from "./_parts/email-form";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("email");
  return { title: t("title") };
}

export default async function EmailPage() {
  const { email } = await requireUser("/dashboard/email");
  const [t, profile] = await Promise.all([getTranslations("email"), getTranslations("profile")]);
  return (
    <div className={classes.page}>
      <PageHead title={t("title")} back={{ href: "/dashboard/profile", label: profile("title") }} />
      <Card padded>
        <EmailForm current={email} />
      </Card>
    </div>
  );
}
