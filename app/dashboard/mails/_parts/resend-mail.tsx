// Sends a mail again, after saying that it may arrive twice.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";

interface Props {
  id: string;
  to: string;
  /** Whether it has not been sent before. */
  isHeld: boolean;
}

export function ResendMail({ id, to, isHeld }: Props) {
  const t = useTranslations("mails");
  const api = useTRPCClient();
  return (
    <ConfirmDialog
      label={t("resend")}
      title={t("resendTitle", { to })}
      confirm={t("resend")}
      dismiss={t("keep")}
      done={t("resent", { to })}
      act={(key) => api.mails.resend.mutate({ mail_id: id }, { context: { idempotencyKey: key } })}
    >
      {t(isHeld ? "resendHeld" : "resendText")}
    </ConfirmDialog>
  );
}
