// Whether a new payment request can be paid in parts: in any, or in equal monthly installments.
"use client";
import { NativeSelect, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import form from "@/app/_ui/form.module.css";
import { MoneyInput } from "@/app/_ui/money-input";
import { formatMoney } from "@/app/_ui/money-text";
import { limits } from "@/server/kit/limits";
import type { MoreProps } from "./more-fields";
import { hasInstallments, mayBePaidInParts, plannedInstallments } from "./request-values";

const { least, most } = limits.installments;

export function PartFields(props: MoreProps) {
  const { form: fields, typed, locale } = props;
  const t = useTranslations("newPayment");
  const shared = useTranslations("form");
  const field = (name: string) => ({ id: name, name, ...fields.getInputProps(name) });
  // A hold is for the whole amount, and a subscription has payments of its own.
  if (!mayBePaidInParts(typed)) return null;
  const kinds = [...(typed.plan === null ? [] : (["kept"] as const)), "none", "any", "installments"] as const;
  return (
    <>
      <NativeSelect
        key={fields.key("parts")}
        label={t("parts")}
        data={kinds.map((value) => ({ value, label: t(`partKinds.${value}`) }))}
        {...field("parts")}
      />
      {typed.parts === "any" && (
        <MoneyInput
          key={fields.key("minimum")}
          label={shared("optional", { label: t("minimum") })}
          text={typed.minimum}
          currency={typed.currency}
          locale={locale}
          preview={{ empty: t("minimumHelp"), understood: (amount: string) => amount }}
          {...field("minimum")}
        />
      )}
      {typed.parts === "installments" && (
        <div className={form.row}>
          <TextInput
            key={fields.key("installmentCount")}
            inputMode="numeric"
            label={t("installmentCount", { least, most })}
            {...field("installmentCount")}
          />
          <TextInput key={fields.key("firstDue")} type="date" label={t("firstDue")} {...field("firstDue")} />
        </div>
      )}
      {hasInstallments(typed) && <Plan {...props} />}
    </>
  );
}

/** The installments as they will be asked for. */
function Plan({ typed, locale }: MoreProps) {
  const t = useTranslations("newPayment");
  const installments = plannedInstallments(typed, locale);
  const [first, last] = [installments?.[0], installments?.at(-1)];
  if (!installments || !first || !last) return null;
  const money = (amount: number) => formatMoney(amount, typed.currency, locale);
  const day = (text: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }).format(Date.parse(text));
  const values = { count: installments.length, first: money(first.amount), rest: money(last.amount) };
  return (
    <p role="status">
      {t(typed.parts === "kept" ? "planKept" : first.amount === last.amount ? "planEqual" : "planUnequal", values)}{" "}
      {t(typed.parts === "kept" ? "planKeptDates" : "planDates", { from: day(first.due_at), to: day(last.due_at) })}
    </p>
  );
}
