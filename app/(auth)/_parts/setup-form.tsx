// Creates the first organization and its first admin, then signs that admin in.
"use client";
import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { isEmail } from "@/app/_ui/email-text";
import classes from "@/app/_ui/form.module.css";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { PasswordField } from "@/app/_ui/password-field";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { limits } from "@/server/kit/limits";

const { min, max } = limits.password;

interface Props {
  /** From the one-time link. */
  token: string;
}

export function SetupForm({ token }: Props) {
  const t = useTranslations("setup");
  const api = useTRPCClient();
  const form = useForm({
    // Uncontrolled: a password manager may fill the fields in before this script runs.
    mode: "uncontrolled",
    initialValues: { organization: "", email: "", password: "" },
    validateInputOnBlur: true,
    validate: {
      organization: (value) => (value.trim() === "" ? t("organizationMissing") : null),
      email: (value) => (isEmail(value) ? null : t("emailMissing")),
      password: (value) =>
        value.length < min ? t("passwordShort", { min }) : value.length > max ? t("passwordLong", { max }) : null,
    },
  });
  const { formProps, isSending, summary } = useFormSubmission(
    form,
    async (values) => {
      const email = values.email.trim();
      const { password } = values;
      // Customers then read times in the zone of the business. Settings can change it.
      const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
      const organization_name = values.organization.trim();
      await api.organizations.setup.mutate({ token, organization_name, email, password, timezone });
      await api.sessions.signIn.mutate({ email, password });
    },
    () => window.location.replace("/dashboard"),
  );
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <TextInput
        id="organization"
        name="organization"
        label={t("organization")}
        description={t("organizationHelp")}
        autoComplete="organization"
        key={form.key("organization")}
        {...form.getInputProps("organization")}
      />
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
        description={t("passwordHelp", { min })}
        autoComplete="new-password"
        key={form.key("password")}
        {...form.getInputProps("password")}
      />
      <Button type="submit" loading={isSending} fullWidth mt="var(--space-2)">
        {t("submit")}
      </Button>
    </form>
  );
}
