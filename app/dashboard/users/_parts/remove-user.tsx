// Removes a user permanently. Shows what ends, offers to transfer the accounts, and asks for the name.
"use client";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { signInAfter } from "@/app/_ui/ended-session";
import { RemovalList } from "./removal-list";
import { RevokeKeys } from "./revoke-keys";

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
  const [revokesKeys, setRevokesKeys] = useState(true);
  const input = {
    ...{ user_id: id, revoke_api_keys: revokesKeys },
    new_owner_user_id: mayGive && heir !== "" ? heir : null,
  };
  return (
    <ConfirmDialog
      label={t("remove")}
      title={t("title", { name })}
      confirm={t("confirm")}
      isDanger
      typed={name}
      done={t("done", { name })}
      onOpen={() => {
        setHeir("");
        setRevokesKeys(true);
      }}
      act={(key) => api.users.remove.mutate(input, { context: { idempotencyKey: key } })}
      // A full load discards everything that was rendered for the ended session.
      onDone={isOwn ? () => window.location.assign(signInAfter("removed")) : undefined}
    >
      <RemovalList id={id} isOwn={isOwn} mayGive={mayGive} onHeir={setHeir}>
        <RevokeKeys id={id} revokes={revokesKeys} onChange={setRevokesKeys} />
      </RemovalList>
    </ConfirmDialog>
  );
}
