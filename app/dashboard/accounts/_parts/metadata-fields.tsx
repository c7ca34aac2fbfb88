// Metadata as rows of key and value that can be added and removed.
"use client";
import { ActionIcon, Button, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { useFieldRows } from "@/app/_ui/field-rows";
import { limits } from "@/server/kit/limits";
import classes from "./account-fields.module.css";
import type { AccountForm } from "./account-form";
import type { MetadataRow } from "./account-values";

interface Props extends Pick<AccountForm, "field"> {
  /** A form of an account or of another record with metadata. */
  form: {
    getValues(): { metadata: MetadataRow[] };
    insertListItem(path: "metadata", row: MetadataRow): void;
    removeListItem(path: "metadata", index: number): void;
    key(path: string): string;
  };
}

export function MetadataFields({ form, field }: Props) {
  const t = useTranslations("accountForm");
  const added = useRef(0);
  const rows = form.getValues().metadata;
  const { add, remove, addButton } = useFieldRows({
    count: rows.length,
    firstId: (index) => `metadata.${index}.key`,
    insert() {
      added.current += 1;
      // A space keeps the name distinct from every key.
      form.insertListItem("metadata", { row: `new ${added.current}`, key: "", value: "" });
    },
    removeAt: (index) => form.removeListItem("metadata", index),
  });
  return (
    <>
      {rows.map(({ row, key }, index) => (
        <div key={row} className={classes.entry}>
          <TextInput
            key={form.key(`metadata.${index}.key`)}
            label={t("metadataKey")}
            autoComplete="off"
            maxLength={limits.metadata.key}
            {...field(`metadata.${index}.key`)}
          />
          <TextInput
            key={form.key(`metadata.${index}.value`)}
            label={t("metadataValue")}
            autoComplete="off"
            maxLength={limits.metadata.value}
            {...field(`metadata.${index}.value`)}
          />
          <ActionIcon
            variant="default"
            size={42}
            className={classes.remove}
            aria-label={t("removeEntry", { number: index + 1, key })}
            onClick={() => remove(index)}
          >
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {rows.length < limits.metadata.keys && (
        <div>
          <Button
            ref={addButton}
            variant="default"
            size="sm"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={add}
          >
            {t("addEntry")}
          </Button>
        </div>
      )}
    </>
  );
}
