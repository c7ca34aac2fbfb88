// Assigns an account to another user of the organization, found by e-mail address.
"use client";
import { TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";

interface Props {
  id: string;
  name: string;
  /** Whether it has an owner now. */
  hasOwner: boolean;
}

export function AssignOwner({ id, name, hasOwner }: Props) {
  const t = useTranslations("assignOwner");
  const api = useTRPCClient();
  const [email, setEmail] = useState("");
  /** An unknown address gives an id that no user has, so that it is refused. */
  async function assign(idempotencyKey: string): Promise<void> {
    const { data } = await api.users.list.query({ email: email.trim(), status: ["active"], limit: 1 });
    const input = { account_id: id, owner_user_id: data[0]?.user_id ?? "" };
    await api.accounts.update.mutate(input, { context: { idempotencyKey } });
  }
  return (
    <ConfirmDialog
      label={hasOwner ? t("changeOwner") : t("assignOwner")}
      title={t("assignOwnerOf", { name })}
      confirm={t("assignOwner")}
      done={t("ownerAssigned", { name })}
      act={assign}
    >
      <TextInput
        type="email"
        label={t("newOwner")}
        description={hasOwner ? t("newOwnerHelp") : t("firstOwnerHelp")}
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
