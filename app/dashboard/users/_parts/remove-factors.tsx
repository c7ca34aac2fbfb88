// Removes the second factors of a user who has lost them.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";

interface Props {
  id: string;
  name: string;
  /** Whether the user is mailed a link to set a new password, without which the user can no longer sign in. */
  getsLink: boolean;
}

export function RemoveFactors({ id, name, getsLink }: Props) {
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
      <p>{t(getsLink ? "removeLostMailed" : "removeLostPassword")}</p>
    </ConfirmDialog>
  );
}
