// Changes the organization's name and what applies to accounts that have not chosen their own.
"use client";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import classes from "@/app/_ui/form.module.css";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { limits } from "@/server/kit/limits";
import type { AccountChoices } from "../../../accounts/_parts/account-form";
import { useSettingsForm } from "../../_parts/save-settings";

interface Props {
  settings: { name: string; default_currency: string | null; locale: string | null; timezone: string | null };
  choices: AccountChoices;
}

export function OrganizationForm({ settings, choices }: Props) {
  const t = useTranslations("organizationSettings");
  const form = useForm({
    mode: "uncontrolled",
    initialValues: {
      name: settings.name,
      currency: settings.default_currency ?? "",
      locale: settings.locale ?? "",
      timezone: settings.timezone ?? "",
    },
    validateInputOnBlur: true,
    validate: { name: (value) => (value.trim() === "" ? t("nameMissing") : null) },
  });
  const { formProps, isSending, summary } = useSettingsForm(form, ({ name, currency, locale, timezone }) => ({
    name: name.trim(),
    default_currency: currency || null,
    locale: locale || null,
    timezone: timezone || null,
  }));
  const field = (name: "name" | "currency" | "locale" | "timezone") => ({
    ...{ id: name, name },
    ...form.getInputProps(name),
  });
  const unset = { value: "", label: t("notSet") };
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <TextInput
        key={form.key("name")}
        label={t("name")}
        description={t("nameHelp")}
        autoComplete="organization"
        maxLength={limits.name}
        {...field("name")}
      />
      <NativeSelect
        key={form.key("currency")}
        label={t("currency")}
        description={t("currencyHelp")}
        data={[unset, ...choices.currencies]}
        {...field("currency")}
      />
      <NativeSelect
        key={form.key("locale")}
        label={t("language")}
        description={t("languageHelp")}
        data={[unset, ...choices.languages]}
        {...field("locale")}
      />
      <NativeSelect
        key={form.key("timezone")}
        label={t("timeZone")}
        description={t("timeZoneHelp")}
        data={[unset, ...choices.timeZones]}
        {...field("timezone")}
      />
      <div className={classes.actions}>
        <Button type="submit" loading={isSending}>
          {t("save")}
        </Button>
      </div>
    </form>
  );
}
