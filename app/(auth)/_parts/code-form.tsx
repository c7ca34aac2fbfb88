// The second screen of signing in: a code from the authenticator app, or a recovery code.
"use client";
import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import classes from "@/app/_ui/form.module.css";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { limits } from "@/server/kit/limits";
import own from "./code-form.module.css";

interface Props {
  /** Signs in with the code. */
  signIn(code: string): Promise<unknown>;
  onDone(): void;
  /** Leads back to e-mail and password. */
  onBack(): void;
  /** Another way, below the form's button. */
  passkey: ReactNode;
}

export function CodeForm({ signIn, onDone, onBack, passkey }: Props) {
  const t = useTranslations("signIn");
  const [isRecovery, setRecovery] = useState(false);
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { otp: "" },
    validate: { otp: (value) => (value.trim() === "" ? t("codeMissing") : null) },
  });
  const { formProps, isSending, summary } = useFormSubmission(form, ({ otp }) => signIn(otp.trim()), onDone);
  useEffect(() => document.getElementById("otp")?.focus(), []);
  function toggle() {
    setRecovery(!isRecovery);
    form.setFieldValue("otp", "");
    form.clearErrors();
    document.getElementById("otp")?.focus();
  }
  return (
    <form {...formProps} className={classes.fields}>
      <h1 className={own.title}>{t("codeTitle")}</h1>
      <ProblemSummary {...summary} />
      <TextInput
        id="otp"
        name="otp"
        label={t(isRecovery ? "recoveryCode" : "code")}
        description={t(isRecovery ? "recoveryIntro" : "codeIntro")}
        autoComplete={isRecovery ? "off" : "one-time-code"}
        inputMode={isRecovery ? "text" : "numeric"}
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={limits.oneTimeCode}
        key={form.key("otp")}
        {...form.getInputProps("otp")}
      />
      {isRecovery && <p className={own.help}>{t("lostAll")}</p>}
      <Button type="submit" loading={isSending} fullWidth mt="var(--space-2)">
        {t("submit")}
      </Button>
      {passkey}
      <div className={own.others}>
        <button type="button" className={own.other} onClick={toggle}>
          {t(isRecovery ? "useApp" : "useRecovery")}
        </button>
        <button type="button" className={own.other} onClick={onBack}>
          {t("back")}
        </button>
      </div>
    </form>
  );
}
