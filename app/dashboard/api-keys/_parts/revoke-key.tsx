// Revokes an API key, after saying what stops.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";

export function RevokeKey({ id, name }: { id: string; name: string }) {
  const t = useTranslations("apiKeys");
  const api = useTRPCClient();
  return (
    <ConfirmDialog
      label={t("revoke")}
      fullLabel={t("revokeOf", { name })}
      title={t("revokeTitle", { name })}
      confirm={t("revokeConfirm")}
      isDanger
      size="compact-sm"
      done={t("revoked", { name })}
      act={(key) => api.apiKeys.revoke.mutate({ api_key_id: id }, { context: { idempotencyKey: key } })}
    >
      {t("revokeText")}
    </ConfirmDialog>
  );
}
