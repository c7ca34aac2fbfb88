// There is no such payment request, or none that the reader may see; which of the two is not told.
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
