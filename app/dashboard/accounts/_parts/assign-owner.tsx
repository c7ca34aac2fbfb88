// Gives an account to another user of the organization, found by e-mail address.
"use client";
import { TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";

interface Props {
  id: string;
  name: string;
  /** Who owns it now, in words; null for nobody. */
  owner: string | null;
}

export function AssignOwner({ id, name, owner }: Props) {
  const t = useTranslations("assignOwner");
  const api = useTRPCClient();
  const [email, setEmail] = useState("");
  /** An unknown address gives an id that no user has, so that it is refused. */
  async function assign(idempotencyKey: string): Promise<void> {
    const text = email.trim();
    const users = text === "" ? [] : (await api.users.list.query({ email: text, status: ["active"], limit: 1 })).data;
    const input = { account_id: id, owner_user_id: users[0]?.user_id ?? "" };
    await api.accounts.update.mutate(input, { context: { idempotencyKey } });
  }
  const act = owner === null ? t("assign") : t("change");
  return (
    <ConfirmDialog label={act} title={act} confirm={act} done={t("done", { name, owner: email.trim() })} act={assign}>
      <p>{owner === null ? t("ownedByNobody", { name }) : t("ownedBy", { name, owner })}</p>
      <p>{owner === null ? t("orphan") : t("previous")}</p>
      <p>{t("next")}</p>
      <TextInput
        type="email"
        label={t("newOwner")}
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
