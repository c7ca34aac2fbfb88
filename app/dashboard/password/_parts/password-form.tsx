// The current password and the new one; says afterwards how many other sessions were signed out.
"use client";
import { Button, PasswordInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import classes from "@/app/_ui/form.module.css";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { ProblemSummary } from "@/app/_ui/problem-summary";

interface Props {
  userId: string;
  /** For password managers. */
  email: string;
  /** Characters of a password. */
  length: { min: number; max: number };
}

export function PasswordForm({ userId, email, length }: Props) {
  const t = useTranslations("password");
  const api = useTRPCClient();
  const { keyFor, answered } = useIdempotencyKey();
  const [revoked, setRevoked] = useState<number | null>(null);
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { current: "", next: "" },
    validateInputOnBlur: true,
    validate: {
      current: (value) => (value === "" ? t("currentMissing") : null),
      next: (value) => (value.length < length.min ? t("short") : value.length > length.max ? t("long") : null),
    },
  });
  const { formProps, isSending, summary } = useFormSubmission(
    form,
    async ({ current, next }) => {
      const input = { user_id: userId, current_password: current, new_password: next };
      try {
        return await api.users.changePassword.mutate(input, { context: { idempotencyKey: keyFor(input) } });
      } catch (error) {
        answered(error);
        throw error;
      }
    },
    ({ revoked_sessions }) => setRevoked(revoked_sessions),
  );
  if (revoked !== null) {
    return (
      <div role="status" className={classes.fields}>
        <p>
          <strong>{t("done")}</strong>
        </p>
        <p>{t("doneText", { count: revoked })}</p>
      </div>
    );
  }
  const visibility = { "aria-label": t("showCharacters"), tabIndex: 0 };
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <p>{t("intro")}</p>
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        id="current"
        name="current"
        label={t("current")}
        autoComplete="current-password"
        visibilityToggleButtonProps={visibility}
        key={form.key("current")}
        {...form.getInputProps("current")}
      />
      <PasswordInput
        id="next"
        name="next"
        label={t("next")}
        description={t("help")}
        autoComplete="new-password"
        visibilityToggleButtonProps={visibility}
        key={form.key("next")}
        {...form.getInputProps("next")}
      />
      <div className={classes.actions}>
        <Button type="submit" loading={isSending}>
          {t("submit")}
        </Button>
      </div>
    </form>
  );
}
