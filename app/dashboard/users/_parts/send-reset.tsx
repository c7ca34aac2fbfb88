// Mails a user a link to choose a new password.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { limits } from "@/server/kit/limits";

interface Props {
  id: string;
  name: string;
  email: string;
}

export function SendReset({ id, name, email }: Props) {
  const t = useTranslations("users");
  const api = useTRPCClient();
  return (
    <ConfirmDialog
      label={t("sendReset")}
      title={t("sendResetTo", { name })}
      confirm={t("sendReset")}
      done={t("resetSent", { email })}
      act={(key) => api.users.sendReset.mutate({ user_id: id }, { context: { idempotencyKey: key } })}
    >
      {t("sendResetText", { email, minutes: limits.resetLinkMinutes })}
    </ConfirmDialog>
  );
}
