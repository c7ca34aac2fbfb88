// Asks a user whose password somebody else chose to choose another one.
import { useTranslations } from "next-intl";
import { ButtonLink } from "@/app/_ui/button-link";
import { Card } from "@/app/_ui/page-frame";
import classes from "./given-password.module.css";

export function GivenPassword() {
  const t = useTranslations("profile");
  return (
    <Card title={t("choosePassword")}>
      <p className={classes.text}>{t("givenPassword")}</p>
      <ButtonLink href="/dashboard/password" variant="outline">
        {t("changePassword")}
      </ButtonLink>
    </Card>
  );
}
