// Asks for another e-mail address; afterwards says where the link to confirm it was sent.
"use client";
import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { ButtonLink } from "@/app/_ui/button-link";
import { isEmail } from "@/app/_ui/email-text";
import classes from "@/app/_ui/form.module.css";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { useStepUp } from "@/app/_ui/step-up";
import { limits } from "@/server/kit/limits";
import own from "../../password/_parts/password-form.module.css";

export function EmailForm({ current }: { current: string }) {
  const t = useTranslations("email");
  const api = useTRPCClient();
  const { keyFor, answered } = useIdempotencyKey();
  const { withStepUp, field, isShownInField } = useStepUp();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { address: "" },
    validateInputOnBlur: true,
    validate: {
      address: (value) =>
        !isEmail(value) ? t("missing") : value.trim().toLowerCase() === current.toLowerCase() ? t("same") : null,
    },
  });
  const { formProps, isSending, summary } = useFormSubmission(
    form,
    async ({ address }) => {
      const input = { email: address.trim() };
      try {
        await withStepUp(() => api.users.changeEmail.mutate(input, { context: { idempotencyKey: keyFor(input) } }));
        return input;
      } catch (error) {
        answered(error);
        throw error;
      }
    },
    ({ email }) => setSentTo(email),
  );
  if (sentTo !== null) return <Sent to={sentTo} />;
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} refusal={isShownInField(summary.refusal) ? null : summary.refusal} />
      <p className={own.text}>{t("intro", { email: current })}</p>
      <TextInput
        id="address"
        name="address"
        type="email"
        label={t("address")}
        description={t("help")}
        autoComplete="email"
        maxLength={limits.email}
        key={form.key("address")}
        {...form.getInputProps("address")}
      />
      {field}
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
function Sent({ to }: { to: string }) {
  const t = useTranslations("email");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={classes.fields}>
      <h2 ref={heading} tabIndex={-1} className={own.title}>
        {t("sent")}
      </h2>
      <p className={own.text}>{t("sentText", { to, hours: limits.emailLinks.hours })}</p>
      <div className={classes.actions}>
        <ButtonLink href="/dashboard/profile">{t("back")}</ButtonLink>
      </div>
    </div>
  );
}
