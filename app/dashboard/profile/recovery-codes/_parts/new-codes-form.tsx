// Replaces the reader's recovery codes and shows the new ones.
"use client";
import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { ButtonLink } from "@/app/_ui/button-link";
import classes from "@/app/_ui/form.module.css";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { useStepUp } from "@/app/_ui/step-up";
import own from "../../_parts/factors.module.css";
import { RecoveryCodes } from "../../_parts/recovery-codes";

export function NewCodesForm() {
  const t = useTranslations("factors");
  const api = useTRPCClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { withStepUp, field, isShownInField } = useStepUp();
  const form = useForm({ mode: "uncontrolled", initialValues: {} });
  const { formProps, isSending, summary } = useFormSubmission(
    form,
    () => withStepUp(() => api.factors.renewCodes.mutate({})),
    ({ recovery_codes }) => setCodes(recovery_codes),
  );
  if (codes) return <RecoveryCodes title={t("renewed")} codes={codes} />;
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} refusal={isShownInField(summary.refusal) ? null : summary.refusal} />
      <p className={own.text}>{t("renewText")}</p>
      {field}
      <div className={classes.actions}>
        <Button type="submit" loading={isSending}>
          {t("renewConfirm")}
        </Button>
        <ButtonLink href="/dashboard/profile" variant="outline">
          {t("cancel")}
        </ButtonLink>
      </div>
    </form>
  );
}
