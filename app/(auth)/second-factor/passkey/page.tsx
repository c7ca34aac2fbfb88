// Adding a passkey as the second factor that the organization requires.
import type { Metadata } from "next";
import { headers } from "next/headers";
import { getTranslations } from "next-intl/server";
import { deviceName } from "@/app/_ui/device-name";
import classes from "@/app/_ui/form.module.css";
import { PasskeyForm } from "@/app/dashboard/profile/passkey/_parts/passkey-form";
import { type EnrollmentProps, enrollee } from "../../_parts/enrollee";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("factors");
  return { title: t("passkeyTitle") };
}

export default async function RequiredPasskeyPage({ searchParams }: EnrollmentProps) {
  const [{ leave }, t, sent] = await Promise.all([enrollee(searchParams), getTranslations("factors"), headers()]);
  return (
    <>
      <h1 className={classes.title}>{t("passkeyTitle")}</h1>
      <PasskeyForm suggested={deviceName(sent.get("user-agent")) ?? t("passkey")} leave={leave} />
    </>
  );
}
