// The fields that say between which accounts money moves, and why.
"use client";
import { NativeSelect, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import { AccountSelect } from "@/app/_ui/account-select";
import classes from "@/app/_ui/form.module.css";
import type { SearchFieldProps } from "@/app/_ui/search-select";
import { adjustmentReasons, type MovedAccount, type Values } from "./movement";

type Shared = SearchFieldProps & {
  // biome-ignore lint/suspicious/noExplicitAny: what Mantine's forms give to inputs of every kind.
  onChange?: (value: any) => void;
  onAccount(account: MovedAccount | null): void;
};

interface SourceProps extends Shared {
  /** The reader's own accounts; null if the reader may choose among all of the organization. */
  own: readonly MovedAccount[] | null;
  initial: MovedAccount | null;
}

export function SourceField({ own, initial, onAccount, onChange, ...field }: SourceProps) {
  const t = useTranslations("newTransaction");
  const shared: ComponentProps<typeof AccountSelect> = { nothing: t("chooseAccount"), ...field };
  if (own === null) return <AccountSelect {...shared} initial={initial} {...{ onAccount, onChange }} />;
  const { id, name, label, error } = field;
  return (
    <NativeSelect
      {...{ id, name, label, error }}
      defaultValue={initial?.account_id}
      data={own.map(({ account_id: value, account_name: label }) => ({ value, label }))}
      onChange={(event) => {
        const id = event.currentTarget.value;
        onChange?.(id);
        onAccount(own.find(({ account_id }) => account_id === id) ?? null);
      }}
    />
  );
}

interface DestinationProps extends Shared {
  mayChoose: boolean;
  initial: MovedAccount | null;
}

/** Members see only their own accounts, so they enter the other one's id. */
export function DestinationField({ mayChoose, initial, onAccount, onChange, ...field }: DestinationProps) {
  const t = useTranslations("newTransaction");
  const label = t("destination");
  if (!mayChoose) {
    return <TextInput {...field} {...{ label, onChange }} description={t("destinationHelp")} autoComplete="off" />;
  }
  return <AccountSelect {...field} {...{ label, initial, onAccount, onChange }} nothing={t("chooseAccount")} />;
}

export function AdjustmentFields({ form }: { form: UseFormReturnType<Values> }) {
  const t = useTranslations("newTransaction");
  const reasons = useTranslations("transactionReason");
  const field = (name: "direction" | "reason") => ({ id: name, name, ...form.getInputProps(name) });
  return (
    <div className={classes.pair}>
      <NativeSelect
        key={form.key("direction")}
        label={t("direction")}
        data={(["in", "out"] as const).map((value) => ({ value, label: t(`directions.${value}`) }))}
        {...field("direction")}
      />
      <NativeSelect
        key={form.key("reason")}
        label={t("reason")}
        data={adjustmentReasons.map((value) => ({ value, label: reasons(value) }))}
        {...field("reason")}
      />
    </div>
  );
}
