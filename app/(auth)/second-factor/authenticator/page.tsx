// Setting up an authenticator app that the organization requires.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import classes from "@/app/_ui/form.module.css";
import { AuthenticatorForm } from "@/app/dashboard/profile/authenticator/_parts/authenticator-form";
import { type EnrollmentProps, enrollee } from "../../_parts/enrollee";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("factors");
  return { title: t("setUpTitle") };
}

export default async function RequiredAuthenticatorPage({ searchParams }: EnrollmentProps) {
  const [{ leave }, t] = await Promise.all([enrollee(searchParams), getTranslations("factors")]);
  return (
    <>
      <h1 className={classes.title}>{t("setUpTitle")}</h1>
      <AuthenticatorForm leave={leave} />
    </>
  );
}
