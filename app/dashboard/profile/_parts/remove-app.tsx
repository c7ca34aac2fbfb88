// Removes the reader's authenticator app.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";

export function RemoveApp() {
  const t = useTranslations("factors");
  const api = useTRPCClient();
  return (
    <ConfirmDialog
      label={t("remove")}
      fullLabel={t("removeApp")}
      title={t("removeTitle")}
      confirm={t("remove")}
      isDanger
      done={t("removed")}
      act={(key) => api.factors.removeTotp.mutate({}, { context: { idempotencyKey: key } })}
    >
      <p>{t("removeText")}</p>
    </ConfirmDialog>
  );
}
