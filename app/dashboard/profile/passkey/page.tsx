// Adding a passkey, from the profile.
import type { Metadata } from "next";
import { headers } from "next/headers";
import { getTranslations } from "next-intl/server";
import { requireUser } from "@/app/_trpc/session";
import { deviceName } from "@/app/_ui/device-name";
import classes from "@/app/_ui/form-page.module.css";
import { Card, PageHead } from "@/app/_ui/page-frame";
import { PasskeyForm } from "./_parts/passkey-form";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("factors");
  return { title: t("passkeyTitle") };
}

export default async function PasskeyPage() {
  await requireUser("/dashboard/profile/passkey");
  const [t, profile, sent] = await Promise.all([getTranslations("factors"), getTranslations("profile"), headers()]);
  return (
    <div className={classes.page}>
      <PageHead title={t("passkeyTitle")} back={{ href: "/dashboard/profile", label: profile("title") }} />
      <Card padded>
        <PasskeyForm suggested={deviceName(sent.get("user-agent")) ?? t("passkey")} />
      </Card>
    </div>
  );
}
