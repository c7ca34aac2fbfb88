// Sets up an authenticator app in two steps: the key to scan, then a code from the app to confirm it.
"use client";
import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { ButtonLink } from "@/app/_ui/button-link";
import { CopyButton } from "@/app/_ui/copy-button";
import classes from "@/app/_ui/form.module.css";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { useStepUp } from "@/app/_ui/step-up";
import { limits } from "@/server/kit/limits";
import own from "../../_parts/factors.module.css";
import { type Leave, RecoveryCodes, toProfile } from "../../_parts/recovery-codes";

interface Setup {
  /** The secret in base32. */
  key: string;
  /** An SVG document. */
  qr: string;
}

const qrSize = 208;
const inGroups = (key: string): string => key.replace(/.{4}(?=.)/g, "$& ");

interface Props {
  /** Whether another app works already. */
  replaces?: boolean;
  leave?: Leave;
}

export function AuthenticatorForm({ replaces = false, leave = toProfile }: Props) {
  const t = useTranslations("factors");
  const [setup, setSetup] = useState<Setup | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes) return <RecoveryCodes title={t(replaces ? "replaced" : "onTitle")} codes={codes} leave={leave} />;
  const { cancel } = leave;
  return setup ? (
    <Confirm setup={setup} cancel={cancel} onDone={setCodes} />
  ) : (
    <Begin intro={t(replaces ? "replaceIntro" : "setUpIntro")} cancel={cancel} onDone={setSetup} />
  );
}

interface BeginProps {
  intro: string;
  cancel: string;
  onDone(setup: Setup): void;
}

function Begin({ intro, cancel, onDone }: BeginProps) {
  const t = useTranslations("factors");
  const api = useTRPCClient();
  const { withStepUp, field, isShownInField } = useStepUp();
  const form = useForm({ mode: "uncontrolled", initialValues: {} });
  const { formProps, isSending, summary } = useFormSubmission(
    form,
    () => withStepUp(() => api.factors.setUpTotp.mutate({})),
    onDone,
  );
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} refusal={isShownInField(summary.refusal) ? null : summary.refusal} />
      <p className={own.text}>{intro}</p>
      {field}
      <Actions submit={t("begin")} cancel={cancel} isSending={isSending} />
    </form>
  );
}

interface ConfirmProps {
  setup: Setup;
  cancel: string;
  onDone(codes: readonly string[]): void;
}

function Confirm({ setup, cancel, onDone }: ConfirmProps) {
  const t = useTranslations("factors");
  const api = useTRPCClient();
  const { withStepUp, field, isShownInField } = useStepUp();
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { code: "" },
    validate: { code: (text) => (text.trim() === "" ? t("confirmMissing") : null) },
  });
  const { formProps, isSending, summary } = useFormSubmission(
    form,
    ({ code }) => withStepUp(() => api.factors.confirmTotp.mutate({ code: code.trim() })),
    ({ recovery_codes }) => onDone(recovery_codes),
  );
  useEffect(() => document.getElementById("code")?.focus(), []);
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} refusal={isShownInField(summary.refusal) ? null : summary.refusal} />
      <div className={own.steps}>
        <p className={own.text}>{t("scan")}</p>
        {/* biome-ignore lint/performance/noImgElement: drawn for this user, with nothing to optimize. */}
        <img
          src={`data:image/svg+xml,${encodeURIComponent(setup.qr)}`}
          width={qrSize}
          height={qrSize}
          alt={t("qr")}
          className={own.qr}
        />
        <p className={own.text}>{t("orType")}</p>
        <code className={own.key}>{inGroups(setup.key)}</code>
        <CopyButton text={setup.key} label={t("copy")} fullLabel={t("copyKey")} size="sm" />
      </div>
      <TextInput
        id="code"
        name="code"
        label={t("confirmCode")}
        description={t("confirmHelp")}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={limits.oneTimeCode}
        key={form.key("code")}
        {...form.getInputProps("code")}
      />
      {field}
      <Actions submit={t("confirm")} cancel={cancel} isSending={isSending} />
    </form>
  );
}

function Actions({ submit, cancel, isSending }: { submit: string; cancel: string; isSending: boolean }) {
  const t = useTranslations("factors");
  return (
    <div className={classes.actions}>
      <Button type="submit" loading={isSending}>
        {submit}
      </Button>
      <ButtonLink href={cancel} variant="outline">
        {t("cancel")}
      </ButtonLink>
    </div>
  );
}
