// Which mails an account's customers get without being asked for.
"use client";
import { Checkbox } from "@mantine/core";
import { useTranslations } from "next-intl";
import { FieldGroup } from "./account-fields";
import type { AccountForm } from "./account-form";
import { mailFields } from "./account-values";

export function MailFields({ form }: Pick<AccountForm, "form">) {
  const t = useTranslations("accountForm");
  return (
    <FieldGroup legend={t("mails")} help={t("mailsHelp")}>
      {mailFields.map((name) => (
        <Checkbox
          key={form.key(name)}
          label={t(name)}
          id={name}
          name={name}
          {...form.getInputProps(name, { type: "checkbox" })}
        />
      ))}
    </FieldGroup>
  );
}
