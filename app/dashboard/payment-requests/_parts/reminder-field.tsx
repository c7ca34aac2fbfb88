// The days on which a new payment request reminds its customer.
"use client";
import { TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { limits } from "@/server/kit/limits";
import type { RequestForm } from "./new-payment";
import { hasInstallments, type RequestValues } from "./request-values";

export function ReminderField({ form: fields, typed }: { form: RequestForm; typed: RequestValues }) {
  const t = useTranslations("newPayment");
  const shared = useTranslations("form");
  const isRelativeToDue = hasInstallments(typed) || (typed.type === "invoice" && typed.due !== "");
  return (
    <TextInput
      key={fields.key("reminders")}
      id="reminders"
      name="reminders"
      label={shared("optional", { label: t("reminders") })}
      description={t(isRelativeToDue ? "remindersDueHelp" : "remindersExpiryHelp", {
        most: limits.reminders.perRequest,
      })}
      autoComplete="off"
      maxLength={limits.reference}
      {...fields.getInputProps("reminders")}
    />
  );
}
