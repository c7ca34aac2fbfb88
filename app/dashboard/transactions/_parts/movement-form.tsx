// The form for a transfer, a credit or an adjustment, with the balances before and after.
"use client";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ButtonLink } from "@/app/_ui/button-link";
import { firstField } from "@/app/_ui/first-field";
import classes from "@/app/_ui/form.module.css";
import { MoneyInput } from "@/app/_ui/money-input";
import { formatMoney } from "@/app/_ui/money-text";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { limits } from "@/server/kit/limits";
import { BalanceAfter } from "./balance-after";
import { actOf, isOut, type MovedAccount, useMovement } from "./movement";
import { AdjustmentFields, DestinationField, SourceField } from "./movement-fields";
import type { Movement } from "./movements";

interface Props {
  movement: Movement;
  locale: string;
  currencies: readonly { value: string; label: string }[];
  currency: string;
  /** The reader's own accounts; null if the reader may choose among all of the organization. */
  own: readonly MovedAccount[] | null;
  initial: MovedAccount | null;
  /** The account that a transfer goes to, if it is known on arrival. */
  destination: MovedAccount | null;
}

/** The first field that is empty on arrival: it has the focus. */
function emptyOnArrival({ movement, own, initial, destination }: Omit<Props, "locale" | "currencies" | "currency">) {
  if (initial === null && own === null) return "account";
  return movement === "transfer" && destination === null ? "destination" : "amount";
}

export function MovementForm({ movement, locale, currencies, currency, own, ...arrival }: Props) {
  const t = useTranslations("newTransaction");
  const shared = useTranslations("form");
  const movementForm = useMovement({ movement, currency, locale, ...arrival });
  const { form, typed, account, setAccount, amount, stepUpField, formProps, isSending, summary } = movementForm;
  const [destination, setDestination] = useState(arrival.destination);
  const field = (name: Parameters<typeof form.getInputProps>[0]) => ({ id: name, name, ...form.getInputProps(name) });
  const empty = emptyOnArrival({ movement, own, ...arrival });
  const onArrival = (name: typeof empty) => (name === empty ? firstField(field(name)) : field(name));
  const act = actOf(movement, typed.direction);
  const sign = isOut(movement, typed.direction) ? -1 : 1;
  const moved = { currency: typed.currency, locale };
  const text = (name: "description" | "reference", maxLength: number, help?: string) => (
    <TextInput
      key={form.key(name)}
      label={shared("optional", { label: t(name) })}
      description={help}
      autoComplete="off"
      maxLength={maxLength}
      {...field(name)}
    />
  );
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <SourceField
        key={form.key("account")}
        label={t(movement === "transfer" ? "source" : "account")}
        {...{ own, initial: arrival.initial, onAccount: setAccount, ...onArrival("account") }}
      />
      {movement === "transfer" && (
        <DestinationField
          key={form.key("destination")}
          mayChoose={own === null}
          initial={arrival.destination}
          {...{ onAccount: setDestination, ...onArrival("destination") }}
        />
      )}
      {movement === "adjustment" && <AdjustmentFields form={form} />}
      <div className={classes.row}>
        <MoneyInput
          key={form.key("amount")}
          label={t("amount")}
          text={typed.amount}
          {...moved}
          preview={{ empty: t("amountHelp"), understood: (given) => t(`preview.${act}`, { amount: given }) }}
          {...onArrival("amount")}
        />
        <NativeSelect key={form.key("currency")} label={t("currency")} data={[...currencies]} {...field("currency")} />
      </div>
      <div role="status">
        <BalanceAfter {...moved} account={account} change={sign * (amount ?? 0)} />
        <BalanceAfter {...moved} account={destination} change={amount ?? 0} />
      </div>
      {text("description", limits.description)}
      {text("reference", limits.reference, t("referenceHelp"))}
      {stepUpField}
      <div className={classes.actions}>
        <Button type="submit" loading={isSending}>
          {amount === null
            ? t(`submitEmpty.${act}`)
            : t(`submit.${act}`, { amount: formatMoney(amount, typed.currency, locale) })}
        </Button>
        <ButtonLink href="/dashboard/transactions" variant="outline">
          {t("cancel")}
        </ButtonLink>
      </div>
    </form>
  );
}
