// The payment request does not exist, or the reader may not see it; the page does not say which.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ButtonLink } from "@/app/_ui/button-link";
import { EmptyState } from "@/app/_ui/page-frame";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("payment");
  return { title: t("missingTitle") };
}

export default async function PaymentRequestNotFound() {
  const t = await getTranslations("payment");
  const back = (
    <ButtonLink href="/dashboard/payment-requests" variant="outline">
      {t("back")}
    </ButtonLink>
  );
  return <EmptyState heading="h1" title={t("missingTitle")} text={t("missingText")} action={back} />;
}
