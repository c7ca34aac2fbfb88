// In place of the figures if they could not be added up.
import { useTranslations } from "next-intl";
import { Card, EmptyState } from "@/app/_ui/page-frame";
import { ReloadButton } from "@/app/_ui/reload-button";

export function FiguresFailed() {
  const t = useTranslations("home");
  const action = <ReloadButton variant="default">{t("failedAct")}</ReloadButton>;
  return (
    <Card>
      <EmptyState title={t("failed")} text={t("failedText")} action={action} />
    </Card>
  );
}
