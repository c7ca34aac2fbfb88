// Closes an account for good: shows the consequences and asks for the account's name.
"use client";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { signInAfter } from "@/app/_ui/ended-session";
import { ClosingList } from "./closing-list";

interface Props {
  id: string;
  name: string;
  /** Whether it is the reader's own account, so that closing it signs the reader out. */
  isOwn: boolean;
  /** For numbers. */
  locale: string;
}

export function CloseAccount({ id, name, isOwn, locale }: Props) {
  const t = useTranslations("closeAccount");
  const api = useTRPCClient();
  return (
    <ConfirmDialog
      label={t("close")}
      title={t("title", { name })}
      confirm={t("confirm")}
      isDanger
      typed={name}
      done={t("done", { name })}
      act={(key) => api.accounts.close.mutate({ account_id: id }, { context: { idempotencyKey: key } })}
      // A full load discards everything that was rendered for the ended session.
      onDone={isOwn ? () => window.location.assign(signInAfter("accountClosed")) : undefined}
    >
      <ClosingList id={id} isOwn={isOwn} locale={locale} />
    </ConfirmDialog>
  );
}
