// Resumes a paused subscription, after saying what is charged and what is not.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";

export function ResumeSubscription({ id, name }: { id: string; name: string }) {
  const t = useTranslations("subscriptionActs");
  const api = useTRPCClient();
  return (
    <ConfirmDialog
      variant="filled"
      label={t("resume")}
      title={t("resumeTitle", { name })}
      confirm={t("resume")}
      done={t("resumed", { name })}
      act={(key) => api.subscriptions.resume.mutate({ subscription_id: id }, { context: { idempotencyKey: key } })}
    >
      <p>{t("resumeText")}</p>
    </ConfirmDialog>
  );
}
