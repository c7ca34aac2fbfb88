// Removes the second factors of a user who has lost them.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";

export function RemoveFactors({ id, name }: { id: string; name: string }) {
  const t = useTranslations("factors");
  const api = useTRPCClient();
  return (
    <ConfirmDialog
      label={t("removeLost")}
      title={t("removeLostTitle", { name })}
      confirm={t("removeLost")}
      isDanger
      done={t("lostRemoved", { name })}
      act={(key) => api.factors.removeLost.mutate({ user_id: id }, { context: { idempotencyKey: key } })}
    >
      <p>{t("removeLostText")}</p>
    </ConfirmDialog>
  );
}
