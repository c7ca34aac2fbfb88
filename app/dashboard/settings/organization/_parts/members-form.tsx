// Changes whether members may record payments once the organization is live.
"use client";
import { Button, Checkbox } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import classes from "@/app/_ui/form.module.css";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { useSettingsForm } from "../../_parts/save-settings";

export function MembersForm({ mayRecord }: { mayRecord: boolean }) {
  const t = useTranslations("organizationSettings");
  const form = useForm({ mode: "uncontrolled", initialValues: { mayRecord } });
  const { formProps, isSending, stepUpField, summary } = useSettingsForm(form, (values) => ({
    members_record_payments: values.mayRecord,
  }));
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <Checkbox
        size="md"
        key={form.key("mayRecord")}
        label={t("membersRecord")}
        description={t("membersRecordHelp")}
        {...form.getInputProps("mayRecord", { type: "checkbox" })}
      />
      {stepUpField}
      <div className={classes.actions}>
        <Button type="submit" loading={isSending}>
          {t("saveMembers")}
        </Button>
      </div>
    </form>
  );
}
