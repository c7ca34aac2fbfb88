// Changes which renewals are charged that became due while the server did not run.
"use client";
import { Button, Radio } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import classes from "@/app/_ui/form.module.css";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import type { CatchUpRule } from "@/db/schema/values";
import choiceClasses from "../../_parts/choices.module.css";
import { useSettingsForm } from "../../_parts/save-settings";

interface Props {
  choices: readonly CatchUpRule[];
  catchUp: CatchUpRule;
}

export function CatchUpForm({ choices, catchUp }: Props) {
  const t = useTranslations("organizationSettings");
  const form = useForm({ mode: "uncontrolled", initialValues: { catchUp } });
  const { formProps, isSending, summary, stepUpField } = useSettingsForm(form, (values) => ({
    catch_up: values.catchUp,
  }));
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <Radio.Group key={form.key("catchUp")} size="md" label={t("catchUp")} {...form.getInputProps("catchUp")}>
        <div className={choiceClasses.choices}>
          {choices.map((value) => (
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
      {stepUpField}
      <div className={classes.actions}>
        <Button type="submit" loading={isSending}>
          {t("saveCatchUp")}
        </Button>
      </div>
    </form>
  );
}
