// Changes when subscriptions are charged: after the server did not run, and after a lost dispute.
"use client";
import { Button, Radio } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import classes from "@/app/_ui/form.module.css";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import type { AfterLostDispute, CatchUpRule } from "@/db/schema/values";
import choiceClasses from "../../_parts/choices.module.css";
import { useSettingsForm } from "../../_parts/save-settings";

interface Props {
  choices: { catchUp: readonly CatchUpRule[]; afterLostDispute: readonly AfterLostDispute[] };
  catchUp: CatchUpRule;
  afterLostDispute: AfterLostDispute;
}

export function CatchUpForm({ choices, catchUp, afterLostDispute }: Props) {
  const t = useTranslations("organizationSettings");
  const form = useForm({ mode: "uncontrolled", initialValues: { catchUp, afterLostDispute } });
  const { formProps, isSending, summary, stepUpField } = useSettingsForm(form, (values) => ({
    catch_up: values.catchUp,
    after_lost_dispute: values.afterLostDispute,
  }));
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <Radio.Group key={form.key("catchUp")} size="md" label={t("catchUp")} {...form.getInputProps("catchUp")}>
        <div className={choiceClasses.choices}>
          {choices.catchUp.map((value) => (
            <Radio
              size="md"
              key={value}
              value={value}
              classNames={{ radio: choiceClasses.radio }}
              label={t(`catchUpRules.${value}`)}
              description={t(`catchUpHelp.${value}`)}
            />
          ))}
        </div>
      </Radio.Group>
      <Radio.Group
        key={form.key("afterLostDispute")}
        size="md"
        label={t("afterLostDispute")}
        {...form.getInputProps("afterLostDispute")}
      >
        <div className={choiceClasses.choices}>
          {choices.afterLostDispute.map((value) => (
            <Radio
              size="md"
              key={value}
              value={value}
              classNames={{ radio: choiceClasses.radio }}
              label={t(`afterLostDisputeRules.${value}`)}
              description={t(`afterLostDisputeHelp.${value}`)}
            />
          ))}
        </div>
      </Radio.Group>
      {stepUpField}
      <div className={classes.actions}>
        <Button type="submit" loading={isSending}>
          {t("saveCatchUp")}
        </Button>
      </div>
    </form>
  );
}
