// Gives an account to another user of the organization.
"use client";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { UserSelect } from "../../users/_parts/user-select";

const nobody = { id: "", email: "" };

interface Props {
  id: string;
  name: string;
  /** Who owns it now, in words; null for nobody. */
  owner: string | null;
  /** The owner's id; null for nobody. */
  ownerId: string | null;
}

export function AssignOwner({ id, name, owner, ownerId }: Props) {
  const t = useTranslations("assignOwner");
  const api = useTRPCClient();
  const [chosen, setChosen] = useState(nobody);
  const act = owner === null ? t("assign") : t("change");
  return (
    <ConfirmDialog
      label={act}
      title={act}
      confirm={act}
      done={t("done", { name, owner: chosen.email })}
      onOpen={() => setChosen(nobody)}
      // Without a choice, the id is one that no user has, so that it is refused.
      act={(idempotencyKey) =>
        api.accounts.update.mutate({ account_id: id, owner_user_id: chosen.id }, { context: { idempotencyKey } })
      }
    >
      <p>{owner === null ? t("ownedByNobody", { name }) : t("ownedBy", { name, owner })}</p>
      <p>{owner === null ? t("orphan") : t("previous")}</p>
      <p>{t("next")}</p>
      <UserSelect
        label={t("newOwner")}
        nobody={t("chooseUser")}
        except={ownerId}
        onUser={(userId, email) => setChosen({ id: userId, email })}
      />
    </ConfirmDialog>
  );
}
