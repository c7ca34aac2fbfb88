// The state of the form for an API key: its values, their problems, and the created key with its secret.
"use client";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { endOfDay } from "@/app/_ui/day-bounds";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { useStepUp } from "@/app/_ui/step-up";

const blank = {
  name: "",
  account: "",
  scopes: [] as string[],
  /** One address or network per line. */
  addresses: "",
  /** A day of the reader's calendar; empty for none. */
  expires: "",
};

type Values = typeof blank;

/** The lines that are not blank. */
const linesOf = (text: string): string[] => text.split(/[\s,]+/).filter((line) => line !== "");

export function useNewKey(boundScopes: readonly string[]) {
  const t = useTranslations("apiKeys");
  const api = useTRPCClient();
  const { keyFor, answered } = useIdempotencyKey();
  const { withStepUp, field: stepUpField, isShownInField } = useStepUp();
  const [account, setAccount] = useState("");
  const [created, setCreated] = useState<{ name: string; secret: string | null } | null>(null);
  const form = useForm<Values>({
    mode: "uncontrolled",
    initialValues: blank,
    validateInputOnBlur: ["name", "expires"],
    validate: {
      name: (text) => (text.trim() === "" ? t("nameMissing") : null),
      scopes: (each, values) => (usable(each, values.account).length === 0 ? t("scopesMissing") : null),
      expires: (day) => (day !== "" && expiryOf(day) === null ? t("expiresPast") : null),
    },
  });
  form.watch("account", ({ value }) => setAccount(value));

  /** The chosen scopes that such a key can carry. */
  const usable = (each: readonly string[], accountId: string) =>
    accountId === "" ? [...each] : each.filter((scope) => boundScopes.includes(scope));

  async function send(values: Values) {
    const input = {
      name: values.name.trim(),
      scopes: usable(values.scopes, values.account),
      account_id: values.account || null,
      ip_allow: linesOf(values.addresses),
      expires_at: values.expires === "" ? null : expiryOf(values.expires),
    };
    try {
      return await withStepUp(() => api.apiKeys.create.mutate(input, { context: { idempotencyKey: keyFor(input) } }));
    } catch (error) {
      answered(error);
      throw error;
    }
  }
  const { summary, ...submission } = useFormSubmission(form, send, setCreated);
  const refusal = isShownInField(summary.refusal) ? null : summary.refusal;
  return { form, account, created, stepUpField, ...submission, summary: { ...summary, refusal } };
}

/** The end of the day in the reader's time zone; null if it is not a day or has passed. */
function expiryOf(day: string): string | null {
  const at = endOfDay(day, Intl.DateTimeFormat().resolvedOptions().timeZone);
  return at !== null && Date.parse(at) > Date.now() ? at : null;
}
