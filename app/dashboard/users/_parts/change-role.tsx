// Gives a user another role, after saying what the role may do.
"use client";
import { NativeSelect } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import type { UserRole } from "@/db/schema/values";
import { RevokeKeys } from "./revoke-keys";

interface Props {
  id: string;
  name: string;
  role: UserRole;
  /** All roles. */
  roles: readonly UserRole[];
  /** Those of admins. */
  adminRoles: readonly UserRole[];
}

export function ChangeRole({ id, name, role, roles, adminRoles }: Props) {
  const t = useTranslations("users");
  const api = useTRPCClient();
  const [chosen, setChosen] = useState(role);
  const [revokesKeys, setRevokesKeys] = useState(true);
  const input = { user_id: id, role: chosen, revoke_api_keys: revokesKeys };
  return (
    <ConfirmDialog
      label={t("changeRole")}
      title={t("changeRoleOf", { name })}
      confirm={t("changeRole")}
      onOpen={() => setRevokesKeys(true)}
      done={t("roleChanged", { name, role: t(`roles.${chosen}`) })}
      act={(key) => api.users.update.mutate(input, { context: { idempotencyKey: key } })}
    >
      <NativeSelect
        label={t("role")}
        description={t(`meanings.${chosen}`)}
        data={roles.map((value) => ({ value, label: t(`roles.${value}`) }))}
        value={chosen}
        onChange={({ currentTarget: { value } }) => setChosen(roles.find((one) => one === value) ?? chosen)}
      />
      {adminRoles.includes(role) && !adminRoles.includes(chosen) && (
        <RevokeKeys id={id} revokes={revokesKeys} onChange={setRevokesKeys} />
      )}
    </ConfirmDialog>
  );
}
