// What to do first in an organization without any payment request or transaction.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Outputs } from "@/app/_trpc/server";
import { ButtonLink } from "@/app/_ui/button-link";
import { Card, EmptyState } from "@/app/_ui/page-frame";
import classes from "./home.module.css";

interface Props {
  user: Outputs["users"]["current"];
  mayCreate: boolean;
  /** Whether the reader may change the organization's settings. */
  maySet: boolean;
}

export function FirstSteps({ user: { organization }, mayCreate, maySet }: Props) {
  const t = useTranslations("home");
  const title = t("firstTitle", { organization: organization.name });
  if (!mayCreate) {
    return (
      <Card>
        <EmptyState title={title} text={t("firstTextViewer")} />
      </Card>
    );
  }
  const last = organization.mode === "sandbox" ? "test" : "send";
  return (
    <Card title={title}>
      <p className={classes.none}>{t("firstText")}</p>
      <ol className={classes.steps}>
        {maySet && (
          <Step title={t("steps.organization")} text={t("steps.organizationText")}>
            <ButtonLink href="/dashboard/settings/organization" variant="outline" size="sm">
              {t("steps.organizationAct")}
            </ButtonLink>
          </Step>
        )}
        <Step title={t("steps.request")} text={t("steps.requestText")}>
          <ButtonLink href="/dashboard/payment-requests/new" variant="outline" size="sm">
            {t("steps.requestAct")}
          </ButtonLink>
        </Step>
        <Step title={t(`steps.${last}`)} text={t(`steps.${last}Text`)} />
      </ol>
    </Card>
  );
}

function Step({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <li className={classes.step}>
      <div>
        <h3 className={classes.stepTitle}>{title}</h3>
        <p className={classes.stepText}>{text}</p>
      </div>
      {children}
    </li>
  );
}
