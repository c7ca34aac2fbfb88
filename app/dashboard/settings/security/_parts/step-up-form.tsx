// Changes the amounts above which refunds and transfers need step-up: one row for each currency.
"use client";
import { ActionIcon, Button, NativeSelect } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { useFieldRows } from "@/app/_ui/field-rows";
import classes from "@/app/_ui/form.module.css";
import { MoneyInput } from "@/app/_ui/money-input";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import type { Option } from "@/app/dashboard/accounts/_parts/account-form";
import { limits } from "@/server/kit/limits";
import { type StepUpAmount, useStepUpAmounts } from "./step-up-amounts";
import rowClasses from "./step-up-form.module.css";

interface Props {
  amounts: readonly StepUpAmount[];
  locale: string;
  currencies: Option[];
}

export function StepUpForm({ amounts, locale, currencies }: Props) {
  const t = useTranslations("securitySettings");
  const added = useRef(0);
  const { form, typed, formProps, isSending, stepUpField, summary } = useStepUpAmounts(amounts, locale);
  const { rows } = form.getValues();
  const field = (path: string) => ({ id: path, ...form.getInputProps(path) });
  const { add, remove, addButton } = useFieldRows({
    count: rows.length,
    firstId: (index) => `rows.${index}.currency`,
    insert() {
      added.current += 1;
      form.insertListItem("rows", { row: `new ${added.current}`, currency: "", amount: "" });
    },
    removeAt: (index) => form.removeListItem("rows", index),
  });
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      {rows.map(({ row, currency }, index) => (
        <div key={row} className={rowClasses.row}>
          <NativeSelect
            key={form.key(`rows.${index}.currency`)}
            label={t("rowCurrency")}
            data={[{ value: "", label: t("choose") }, ...currencies]}
            {...field(`rows.${index}.currency`)}
          />
          <MoneyInput
            key={form.key(`rows.${index}.amount`)}
            label={t("rowAmount")}
            text={typed[index]?.amount ?? ""}
            currency={typed[index]?.currency ?? ""}
            locale={locale}
            preview={{ empty: "", understood: (amount) => t("rowUnderstood", { amount }) }}
            {...field(`rows.${index}.amount`)}
          />
          <ActionIcon
            variant="default"
            size={42}
            className={rowClasses.remove}
            aria-label={t("removeRow", { number: index + 1, currency })}
            onClick={() => remove(index)}
          >
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {rows.length < limits.stepUpAmounts && (
        <div>
          <Button
            ref={addButton}
            variant="default"
            size="sm"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={add}
          >
            {t("addRow")}
          </Button>
        </div>
      )}
      {stepUpField}
      <div className={classes.actions}>
        <Button type="submit" loading={isSending}>
          {t("saveStepUp")}
        </Button>
      </div>
    </form>
  );
}
