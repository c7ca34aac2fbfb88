// Changes for how many years invoices to erased customers are kept.
"use client";
import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import classes from "@/app/_ui/form.module.css";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { wholeNumberOf } from "@/app/_ui/whole-number";
import { useSettingsForm } from "../../_parts/save-settings";

interface Props {
  locale: string;
  years: number;
  mostYears: number;
}

export function RetentionForm({ locale, years, mostYears }: Props) {
  const t = useTranslations("organizationSettings");
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { years: String(years) },
    validate: {
      years: (text) => (wholeNumberOf(text, mostYears, locale) === null ? t("retentionWrong", { mostYears }) : null),
    },
  });
  const { formProps, isSending, summary, stepUpField } = useSettingsForm(form, (values) => ({
    invoice_retention_years: wholeNumberOf(values.years, mostYears, locale) ?? years,
  }));
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <TextInput
        key={form.key("years")}
        id="years"
        inputMode="numeric"
        label={t("retention")}
        description={t("retentionHelp")}
        {...form.getInputProps("years")}
      />
      {stepUpField}
      <div className={classes.actions}>
        <Button type="submit" loading={isSending}>
          {t("saveRetention")}
        </Button>
      </div>
    </form>
  );
}
