// Shown inside the shell for unknown addresses, and for records that the reader may not see.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ButtonLink } from "../_ui/button-link";
import { EmptyState } from "../_ui/page-frame";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("notFound");
  return { title: t("title") };
}

export default async function NotFound() {
  const t = await getTranslations("notFound");
  const home = <ButtonLink href="/dashboard">{t("home")}</ButtonLink>;
  return <EmptyState heading="h1" title={t("title")} text={t("record")} action={home} />;
}
