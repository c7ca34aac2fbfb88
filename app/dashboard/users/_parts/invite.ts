// The state of the form that invites a person: its values, their problems, and the invitation with its link.
"use client";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { isEmail } from "@/app/_ui/email-text";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { useStepUp } from "@/app/_ui/step-up";
import type { UserRole } from "@/db/schema/values";

const blank = {
  email: "",
  name: "",
  role: "member" as UserRole,
  /** The type of the account; empty for one named after the person. */
  account: "" as "" | "business" | "individual",
  accountName: "",
  /** Empty: the language that the browser asks for. */
  locale: "",
};

type Values = typeof blank;

export interface Invited {
  email: string;
  url: string | null;
}

/** `rolesWithAccount`: the roles whose users get an account. */
export function useInvite(rolesWithAccount: readonly UserRole[]) {
  const t = useTranslations("invitations");
  const api = useTRPCClient();
  const { keyFor, answered } = useIdempotencyKey();
  const { withStepUp, field: stepUpField, isShownInField } = useStepUp();
  const [role, setRole] = useState(blank.role);
  const [account, setAccount] = useState(blank.account);
  const [invited, setInvited] = useState<Invited | null>(null);
  const hasAccount = rolesWithAccount.includes(role);
  const form = useForm<Values>({
    mode: "uncontrolled",
    initialValues: blank,
    validateInputOnBlur: ["email", "accountName"],
    validate: {
      email: (text) => (isEmail(text.trim()) ? null : t("emailWrong")),
      accountName: (text, values) =>
        hasAccount && values.account !== "" && text.trim() === "" ? t("accountNameMissing") : null,
    },
  });
  form.watch("role", ({ value }) => setRole(value));
  form.watch("account", ({ value }) => setAccount(value));

  async function send(values: Values) {
    const input = {
      ...{ email: values.email.trim(), role: values.role, name: values.name.trim() || null },
      account:
        hasAccount && values.account !== ""
          ? { account_type: values.account, account_name: values.accountName.trim() }
          : null,
      locale: values.locale || null,
    };
    try {
      return await withStepUp(() =>
        api.invitations.create.mutate(input, { context: { idempotencyKey: keyFor(input) } }),
      );
    } catch (error) {
      answered(error);
      throw error;
    }
  }
  const { summary, ...submission } = useFormSubmission(form, send, setInvited);
  const refusal = isShownInField(summary.refusal) ? null : summary.refusal;
  return { form, role, hasAccount, account, invited, stepUpField, ...submission, summary: { ...summary, refusal } };
}
