// E-mail and password; signs in and goes on to where the reader wanted to be.
"use client";
import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import classes from "@/app/_ui/form.module.css";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { PasswordField } from "@/app/_ui/password-field";
import { ProblemSummary } from "@/app/_ui/problem-summary";

/** `next` is a path of this app. */
export function SignInForm({ next }: { next: string }) {
  const t = useTranslations("signIn");
  const api = useTRPCClient();
  const form = useForm({
    // The browser holds the texts: a password manager may fill them in before this script runs.
    mode: "uncontrolled",
    initialValues: { email: "", password: "" },
    validate: {
      email: (value) => (value.trim() === "" ? t("emailMissing") : null),
      password: (value) => (value === "" ? t("passwordMissing") : null),
    },
  });
  const { formProps, isSending, summary } = useFormSubmission(
    form,
    ({ email, password }) => api.sessions.signIn.mutate({ email: email.trim(), password }),
    // A full load: nothing of what was rendered for nobody stays.
    () => window.location.replace(next),
  );
  return (
    <form {...formProps} className={classes.fields}>
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
    </form>
  );
}
