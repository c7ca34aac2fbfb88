// Changes who must have a second factor.
"use client";
import { Button, Radio } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import classes from "@/app/_ui/form.module.css";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import type { MfaRequirement } from "@/db/schema/values";
import own from "../../_parts/choices.module.css";
import { useSettingsForm } from "../../_parts/save-settings";

interface Props {
  choices: readonly MfaRequirement[];
  required: MfaRequirement;
  /** Whether the reader has a second factor: only then may the reader require one. */
  mayRequire: boolean;
}

export function FactorForm({ choices, required, mayRequire }: Props) {
  const t = useTranslations("securitySettings");
  const form = useForm({ mode: "uncontrolled", initialValues: { required } });
  const { formProps, isSending, stepUpField, summary } = useSettingsForm(form, (values) => ({
    require_mfa: values.required,
  }));
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <Radio.Group key={form.key("required")} size="md" label={t("who")} {...form.getInputProps("required")}>
        <div className={own.choices}>
          {choices.map((value) => (
            <Radio
              key={value}
              value={value}
              size="md"
              classNames={{ radio: own.radio }}
              label={t(value)}
              description={t(`${value}Help`)}
              disabled={!mayRequire && value !== "none"}
            />
          ))}
        </div>
      </Radio.Group>
      {stepUpField}
      <div className={classes.actions}>
        <Button type="submit" loading={isSending} disabled={!mayRequire && required === "none"}>
          {t("saveFactor")}
        </Button>
      </div>
    </form>
  );
}
