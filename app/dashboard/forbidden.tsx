// Shown inside the shell where the reader lacks the role.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ButtonLink } from "../_ui/button-link";
import { EmptyState } from "../_ui/page-frame";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("forbidden");
  return { title: t("title") };
}

export default async function Forbidden() {
  const t = await getTranslations("forbidden");
  const home = <ButtonLink href="/dashboard">{t("home")}</ButtonLink>;
  return <EmptyState heading="h1" title={t("title")} text={t("text")} action={home} />;
}
