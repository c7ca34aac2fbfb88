// Adds a passkey: a name to recognize it by, then the browser asks.
"use client";
import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { usePasskeys } from "@/app/_trpc/passkeys";
import { ButtonLink } from "@/app/_ui/button-link";
import classes from "@/app/_ui/form.module.css";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { useStepUp } from "@/app/_ui/step-up";
import { limits } from "@/server/kit/limits";
import own from "../../_parts/factors.module.css";
import { type Leave, RecoveryCodes, toProfile } from "../../_parts/recovery-codes";

interface Props {
  /** The name of this device. */
  suggested: string;
  leave?: Leave;
}

export function PasskeyForm({ suggested, leave = toProfile }: Props) {
  const t = useTranslations("factors");
  const passkeys = usePasskeys();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { withStepUp, field, isShownInField } = useStepUp();
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { name: suggested },
    validate: { name: (text) => (text.trim() === "" ? t("nameMissing") : null) },
  });
  const { formProps, isSending, summary } = useFormSubmission(
    form,
    ({ name }) => withStepUp(() => passkeys.add(name.trim())),
    setCodes,
  );
  if (codes) return <RecoveryCodes title={t("passkeyAdded")} codes={codes} leave={leave} />;
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} refusal={isShownInField(summary.refusal) ? null : summary.refusal} />
      <p className={own.text}>{t("passkeyIntro")}</p>
      <TextInput
        id="name"
        name="name"
        label={t("name")}
        description={t("nameHelp")}
        autoComplete="off"
        maxLength={limits.name}
        key={form.key("name")}
        {...form.getInputProps("name")}
      />
      {field}
      <div className={classes.actions}>
        <Button type="submit" loading={isSending}>
          {t("addPasskey")}
        </Button>
        <ButtonLink href={leave.cancel} variant="outline">
          {t("cancel")}
        </ButtonLink>
      </div>
    </form>
  );
}
