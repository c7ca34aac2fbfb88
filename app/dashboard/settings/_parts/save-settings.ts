// Saves a part of the organization's settings, after a step-up where the server asks for one.
"use client";
import type { UseFormReturnType } from "@mantine/form";
import type { inferRouterInputs } from "@trpc/server";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { useOutcome } from "@/app/_ui/outcome";
import { useStepUp } from "@/app/_ui/step-up";
import type { AppRouter } from "@/server/pipeline/trpc-router";

type Change = inferRouterInputs<AppRouter>["organizations"]["update"];

export function useSettingsForm<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  changeOf: (values: Values) => Change,
) {
  const t = useTranslations("organizationSettings");
  const api = useTRPCClient();
  const router = useRouter();
  const { announce } = useOutcome();
  const { keyFor, answered } = useIdempotencyKey();
  const { withStepUp, field: stepUpField, isShownInField } = useStepUp();
  const { summary, ...submission } = useFormSubmission(
    form,
    async (values) => {
      const input = changeOf(values);
      try {
        return await withStepUp(() =>
          api.organizations.update.mutate(input, { context: { idempotencyKey: keyFor(input) } }),
        );
      } catch (error) {
        answered(error);
        throw error;
      }
    },
    () => {
      router.refresh();
      announce(t("saved"), null);
    },
  );
  const refusal = isShownInField(summary.refusal) ? null : summary.refusal;
  return { ...submission, stepUpField, summary: { ...summary, refusal } };
}
