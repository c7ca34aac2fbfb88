// Metadata of a payment request: names and values that its responses and transactions repeat.
"use client";
import { Button, CloseButton, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useFieldRows } from "@/app/_ui/field-rows";
import { limits } from "@/server/kit/limits";
import classes from "./field-rows.module.css";
import type { MoreProps } from "./more-fields";

export function MetadataFields({ form, typed }: MoreProps) {
  const t = useTranslations("newPayment");
  const { add, remove, addButton } = useFieldRows({
    count: typed.metadata.length,
    firstId: (index) => `metadata.${index}.key`,
    insert: () => form.insertListItem("metadata", { key: "", value: "" }),
    removeAt: (index) => form.removeListItem("metadata", index),
  });
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{t("metadata")}</legend>
      <p className={classes.help}>{t("metadataHelp")}</p>
      {typed.metadata.map((_, index) => {
        const number = index + 1;
        const key = `metadata.${index}.key`;
        const value = `metadata.${index}.value`;
        return (
          <div key={form.key(key)} className={classes.pair}>
            <TextInput
              id={key}
              size="sm"
              label={t("metadataKey", { number })}
              autoComplete="off"
              {...form.getInputProps(key)}
            />
            <TextInput
              key={form.key(value)}
              id={value}
              size="sm"
              label={t("metadataValue", { number })}
              maxLength={limits.metadata.value}
              autoComplete="off"
              {...form.getInputProps(value)}
            />
            <CloseButton
              className={classes.remove}
              aria-label={t("removeMetadata", { number })}
              onClick={() => remove(index)}
            />
          </div>
        );
      })}
      {typed.metadata.length < limits.metadata.keys && (
        <Button
          ref={addButton}
          variant="default"
          size="sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={add}
        >
          {t("addMetadata")}
        </Button>
      )}
    </fieldset>
  );
}
