// Changing one's own password, from the user menu.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireUser } from "@/app/_trpc/session";
import classes from "@/app/_ui/form-page.module.css";
import { Card, PageHead } from "@/app/_ui/page-frame";
import { PasswordForm } from "./_parts/password-form";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("password");
  return { title: t("title") };
}

export default async function PasswordPage() {
  const { user_id, email } = await requireUser("/dashboard/password");
  const [t, profile] = await Promise.all([getTranslations("password"), getTranslations("profile")]);
  return (
    <div className={classes.page}>
      <PageHead title={t("title")} back={{ href: "/dashboard/profile", label: profile("title") }} />
      <Card padded>
        <PasswordForm userId={user_id} email={email} />
      </Card>
    </div>
  );
}
