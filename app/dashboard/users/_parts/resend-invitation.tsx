// Mails an invitation again, after saying that it may arrive twice.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";

export function ResendInvitation({ id, email }: { id: string; email: string }) {
  const t = useTranslations("invitations");
  const api = useTRPCClient();
  return (
    <ConfirmDialog
      label={t("resend")}
      fullLabel={t("resendOf", { email })}
      title={t("resendTitle", { email })}
      confirm={t("resend")}
      size="compact-sm"
      done={t("resent", { email })}
      act={(key) => api.invitations.resend.mutate({ invitation_id: id }, { context: { idempotencyKey: key } })}
    >
      {t("resendText")}
    </ConfirmDialog>
  );
}
