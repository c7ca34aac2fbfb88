// The subscription does not exist, or the reader may not see it; the page does not say which.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ButtonLink } from "@/app/_ui/button-link";
import { EmptyState } from "@/app/_ui/page-frame";
import { listPath } from "../_parts/subscription-path";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("subscriptions");
  return { title: t("missingTitle") };
}

export default async function SubscriptionNotFound() {
  const t = await getTranslations("subscriptions");
  const back = (
    <ButtonLink href={listPath} variant="outline">
      {t("title")}
    </ButtonLink>
  );
  return <EmptyState heading="h1" title={t("missingTitle")} text={t("missingText")} action={back} />;
}
