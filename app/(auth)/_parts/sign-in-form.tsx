// E-mail and password, then a code where one is needed; continues to the page that the reader wanted.
"use client";
import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { refusalCode } from "@/app/_trpc/refusal";
import classes from "@/app/_ui/form.module.css";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { PasswordField } from "@/app/_ui/password-field";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { CodeForm } from "./code-form";
import { PasskeyButton } from "./passkey-button";

interface Credentials {
  email: string;
  password: string;
}

/** `next` is a path of this app. Passkeys are offered where APP_URL allows them. */
export function SignInForm({ next, offersPasskeys }: { next: string; offersPasskeys: boolean }) {
  const api = useTRPCClient();
  const [asked, setAsked] = useState<Credentials | null>(null);
  // A full load discards everything that was rendered without a session.
  const leave = () => window.location.replace(next);
  const passkey = offersPasskeys && <PasskeyButton onDone={leave} />;
  if (!asked) return <PasswordForm onDone={leave} onCodeNeeded={setAsked} passkey={passkey} />;
  return (
    <CodeForm
      signIn={(otp) => api.sessions.signIn.mutate({ ...asked, otp })}
      onDone={leave}
      onBack={() => setAsked(null)}
      passkey={passkey}
    />
  );
}

interface Props {
  onDone(): void;
  /** The password was right, but the user has a second factor. */
  onCodeNeeded(credentials: Credentials): void;
  passkey: ReactNode;
}

function PasswordForm({ onDone, onCodeNeeded, passkey }: Props) {
  const t = useTranslations("signIn");
  const api = useTRPCClient();
  const form = useForm({
    // Uncontrolled: a password manager may fill the fields in before this script runs.
    mode: "uncontrolled",
    initialValues: { email: "", password: "" },
    validate: {
      email: (value) => (value.trim() === "" ? t("emailMissing") : null),
      password: (value) => (value === "" ? t("passwordMissing") : null),
    },
  });
  const { formProps, isSending, summary } = useFormSubmission(
    form,
    async ({ email, password }) => {
      const credentials = { email: email.trim(), password };
      try {
        await api.sessions.signIn.mutate(credentials);
        return null;
      } catch (error) {
        if (refusalCode(error) !== "mfa_required") throw error;
        return credentials;
      }
    },
    (asked) => (asked ? onCodeNeeded(asked) : onDone()),
  );
  return (
    <form {...formProps} className={classes.fields}>
      <h1 className={classes.title}>{t("title")}</h1>
      <ProblemSummary {...summary} />
      <TextInput
        id="email"
        name="email"
        type="email"
        label={t("email")}
        autoComplete="username"
        key={form.key("email")}
        {...form.getInputProps("email")}
      />
      <PasswordField
        id="password"
        name="password"
        label={t("password")}
        autoComplete="current-password"
        key={form.key("password")}
        {...form.getInputProps("password")}
      />
      <Button type="submit" loading={isSending} fullWidth mt="var(--space-2)">
        {t("submit")}
      </Button>
      {passkey}
      <p className={classes.below}>
        {/* A hosted page: it needs no script. */}
        <a href="/forgot-password">{t("forgot")}</a>
      </p>
    </form>
  );
}
