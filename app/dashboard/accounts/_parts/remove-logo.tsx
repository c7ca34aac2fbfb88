// Removes the logo of a closed account, which has no form any more.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";

export function RemoveLogo({ accountId, name }: { accountId: string; name: string }) {
  const t = useTranslations("accountForm");
  const api = useTRPCClient();
  const removed = { account_id: accountId, image: null };
  return (
    <ConfirmDialog
      label={t("logoRemoveNow")}
      size="xs"
      title={t("logoRemoveOf", { name })}
      confirm={t("logoRemoveNow")}
      act={(key) => api.accounts.setLogo.mutate(removed, { context: { idempotencyKey: key } })}
      done={t("logoRemoved")}
      isDanger
    >
      {t("logoRemoveText")}
    </ConfirmDialog>
  );
}
