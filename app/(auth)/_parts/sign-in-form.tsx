// E-mail and password; signs in and continues to the page that the reader wanted.
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
    ({ email, password }) => api.sessions.signIn.mutate({ email: email.trim(), password }),
    // A full load discards everything that was rendered without a session.
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
