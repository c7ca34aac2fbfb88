// Removes a user permanently. Shows what ends, offers to transfer the accounts, and asks for the name.
"use client";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { RemovalList } from "./removal-list";

interface Props {
  id: string;
  /** The e-mail address of a user without a name. The reader types it to confirm. */
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
  /** An address that nobody in the organization has is refused as an unknown user. */
  async function userIdOf(address: string): Promise<string> {
    const found = await api.users.list.query({ email: address, status: ["active"], limit: 1 });
    return found.data[0]?.user_id ?? "";
  }
  async function remove(key: string): Promise<void> {
    const owner = heir.trim();
    const new_owner_user_id = mayGive && owner !== "" ? await userIdOf(owner) : null;
    await api.users.remove.mutate({ user_id: id, new_owner_user_id }, { context: { idempotencyKey: key } });
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
