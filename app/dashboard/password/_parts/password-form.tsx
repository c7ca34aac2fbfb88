// Changes the password; afterwards says how many other sessions were signed out.
"use client";
import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { refusalCode, wrongPassword } from "@/app/_trpc/refusal";
import { ButtonLink } from "@/app/_ui/button-link";
import classes from "@/app/_ui/form.module.css";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { PasswordField } from "@/app/_ui/password-field";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { limits } from "@/server/kit/limits";
import own from "./password-form.module.css";

const { min, max } = limits.password;

interface Props {
  userId: string;
  /** For password managers. */
  email: string;
}

export function PasswordForm({ userId, email }: Props) {
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
      next: (value) => (value.length < min ? t("short", { min }) : value.length > max ? t("long", { max }) : null),
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
        if (refusalCode(error) === "invalid_credentials") form.setFieldError("current", t("currentWrong"));
        throw wrongPassword(error);
      }
    },
    ({ revoked_sessions }) => setRevoked(revoked_sessions),
  );
  if (revoked !== null) return <Changed revoked={revoked} />;
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <p className={own.text}>{t("intro")}</p>
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        id="current"
        name="current"
        label={t("current")}
        autoComplete="current-password"
        key={form.key("current")}
        {...form.getInputProps("current")}
      />
      <PasswordField
        id="next"
        name="next"
        label={t("next")}
        description={t("help", { min })}
        autoComplete="new-password"
        key={form.key("next")}
        {...form.getInputProps("next")}
      />
      <div className={classes.actions}>
        <Button type="submit" loading={isSending}>
          {t("submit")}
        </Button>
        <ButtonLink href="/dashboard/profile" variant="outline">
          {t("cancel")}
        </ButtonLink>
      </div>
    </form>
  );
}

/** The confirmation, in place of the form; takes the focus that the form's button had. */
function Changed({ revoked }: { revoked: number }) {
  const t = useTranslations("password");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={classes.fields}>
      <h2 ref={heading} tabIndex={-1} className={own.title}>
        {t("done")}
      </h2>
      <p className={own.text}>{t("doneText", { count: revoked })}</p>
      <div className={classes.actions}>
        <ButtonLink href="/dashboard/profile">{t("back")}</ButtonLink>
      </div>
    </div>
  );
}
