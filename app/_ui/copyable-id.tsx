// A monospaced id that copies on click: <CopyableId id={payment.payment_id} />. Phones show long ids cut in the middle.
"use client";
import { UnstyledButton } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import classes from "./copyable-id.module.css";

/** Characters that stay visible at the end of an id that is cut. */
const tail = 6;

export function CopyableId({ id }: { id: string }) {
  const t = useTranslations("copy");
  const { copy, copied, error } = useClipboard();
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <span className={classes.place}>
      <UnstyledButton className={classes.id} title={t("copy")} onClick={() => copy(id)}>
        <span className={classes.start}>{id.slice(0, -tail)}</span>
        <span>{id.slice(-tail)}</span>
        <Icon size={14} className={classes.icon} aria-hidden />
      </UnstyledButton>
      <span role="status" className={error ? classes.failed : "visually-hidden"}>
        {error ? t("failed") : copied ? t("done") : ""}
      </span>
    </span>
  );
}
