// Removes a user for good: shows what ends, can give the user's accounts to somebody else first, asks for the name.
"use client";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { giveAccounts } from "./give-accounts";
import { RemovalList } from "./removal-list";

interface Props {
  id: string;
  name: string;
  /** Whether the user is the reader, who is then signed out. */
  isOwn: boolean;
  /** Whether the reader may give the user's accounts to somebody else. */
  mayGive: boolean;
}

export function RemoveUser({ id, name, isOwn, mayGive }: Props) {
  const t = useTranslations("removeUser");
  const api = useTRPCClient();
  const [heir, setHeir] = useState("");
  async function remove(key: string): Promise<void> {
    const toEmail = heir.trim();
    if (mayGive && toEmail !== "") await giveAccounts(api, { fromId: id, toEmail, key });
    await api.users.remove.mutate({ user_id: id }, { context: { idempotencyKey: key } });
  }
  return (
    <ConfirmDialog
      label={t("remove")}
      title={t("title", { name })}
      confirm={t("confirm")}
      isDanger
      typed={name}
      done={t("done", { name })}
      act={remove}
      // A full load discards everything that was rendered for the ended session.
      onDone={isOwn ? () => window.location.assign("/sign-in") : undefined}
    >
      <RemovalList id={id} isOwn={isOwn} mayGive={mayGive} heir={heir} onHeir={setHeir} />
    </ConfirmDialog>
  );
}
