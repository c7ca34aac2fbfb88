// Revokes an invitation, after a confirmation that says what stops working.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";

export function RevokeInvitation({ id, email }: { id: string; email: string }) {
  const t = useTranslations("invitations");
  const api = useTRPCClient();
  return (
    <ConfirmDialog
      label={t("revoke")}
      fullLabel={t("revokeOf", { email })}
      title={t("revokeTitle", { email })}
      confirm={t("revokeConfirm")}
      isDanger
      size="compact-sm"
      done={t("revoked", { email })}
      act={(key) => api.invitations.revoke.mutate({ invitation_id: id }, { context: { idempotencyKey: key } })}
    >
      {t("revokeText")}
    </ConfirmDialog>
  );
}
