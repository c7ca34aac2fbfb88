// There is no such payment request, or none that the reader may see; which of the two is not told.
import { useTranslations } from "next-intl";
import { ButtonLink } from "@/app/_ui/button-link";
import { EmptyState } from "@/app/_ui/page-frame";

export default function PaymentRequestNotFound() {
  const t = useTranslations("payment");
  const back = (
    <ButtonLink href="/dashboard/payment-requests" variant="outline">
      {t("back")}
    </ButtonLink>
  );
  return <EmptyState heading="h1" title={t("missingTitle")} text={t("missingText")} action={back} />;
}
