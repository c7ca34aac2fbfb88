// Renames and removes one of the reader's passkeys.
"use client";
import { TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { ConfirmDialog } from "@/app/_ui/confirm-dialog";
import { limits } from "@/server/kit/limits";
import classes from "./factors.module.css";

interface Props {
  id: string;
  name: string;
}

export function PasskeyActs({ id, name }: Props) {
  const t = useTranslations("factors");
  const api = useTRPCClient();
  const [typed, setTyped] = useState(name);
  return (
    <div className={classes.tools}>
      <ConfirmDialog
        label={t("rename")}
        fullLabel={t("renameOf", { name })}
        title={t("renameOf", { name })}
        confirm={t("rename")}
        size="sm"
        done={t("passkeyRenamed")}
        act={(key) =>
          api.factors.renamePasskey.mutate({ passkey_id: id, name: typed.trim() }, { context: { idempotencyKey: key } })
        }
      >
        <TextInput
          label={t("name")}
          autoComplete="off"
          maxLength={limits.name}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </ConfirmDialog>
      <ConfirmDialog
        label={t("remove")}
        fullLabel={t("removeOf", { name })}
        title={t("removePasskeyTitle", { name })}
        confirm={t("remove")}
        size="sm"
        isDanger
        done={t("passkeyRemoved")}
        act={(key) => api.factors.removePasskey.mutate({ passkey_id: id }, { context: { idempotencyKey: key } })}
      >
        <p>{t("removePasskeyText")}</p>
      </ConfirmDialog>
    </div>
  );
}
