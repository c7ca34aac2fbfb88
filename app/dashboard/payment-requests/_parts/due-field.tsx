// When an invoice is due: a date, which the usual terms of payment fill in.
"use client";
import { Button, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import range from "@/app/_ui/date-range.module.css";
import { dueDays, movedDueDay } from "./due-days";
import classes from "./due-field.module.css";
import type { DatedProps } from "./more-fields";

export function DueField({ form: fields, typed, locale, today }: DatedProps) {
  const t = useTranslations("newPayment");
  const shared = useTranslations("form");
  fields.watch("issueDate", ({ previousValue, value }) => {
    const { due } = fields.getValues();
    const moved = movedDueDay(due, String(previousValue) || today, String(value) || today);
    if (moved !== due) fields.setFieldValue("due", moved);
  });
  return (
    <div className={classes.due}>
      <TextInput
        key={fields.key("due")}
        id="due"
        name="due"
        type="date"
        label={shared("optional", { label: t("due") })}
        description={dayText(typed.due, locale) ?? t("dueNone")}
        {...fields.getInputProps("due")}
      />
      <fieldset aria-label={t("dueTerms")} className={classes.terms}>
        {dueDays(typed.issueDate || today).map(({ days, day }) => (
          <Button
            key={days}
            size="compact-sm"
            variant="default"
            className={range.preset}
            aria-pressed={typed.due === day}
            onClick={() => fields.setFieldValue("due", typed.due === day ? "" : day)}
          >
            {t("dueAfter", { days })}
          </Button>
        ))}
      </fieldset>
    </div>
  );
}

/** The day in words; null for none. */
function dayText(day: string, locale: string): string | null {
  const at = Date.parse(day);
  return Number.isNaN(at) ? null : new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" }).format(at);
}
