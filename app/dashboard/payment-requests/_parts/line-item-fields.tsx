// The line items of a payment request: name, quantity, price, and optional discount and tax. Their sum is the amount.
"use client";
import { Button, CloseButton, NativeSelect, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useFieldRows } from "@/app/_ui/field-rows";
import { MoneyInput } from "@/app/_ui/money-input";
import { formatMoney } from "@/app/_ui/money-text";
import { limits } from "@/server/kit/limits";
import classes from "./field-rows.module.css";
import {
  basisPointsOf,
  blankLine,
  isUntaxed,
  type LineValues,
  lineNetOf,
  linesTotal,
  unitsFor,
  untaxedCategories,
} from "./line-values";
import { isReusableForm } from "./link-values";
import type { MoreProps } from "./more-fields";

type FieldOf<Name extends string> = (name: Name) => { key: string; id: string };

/** Between which quantities the payers of a reusable link choose. */
function Range({ at }: { at: FieldOf<"least" | "most"> }) {
  const t = useTranslations("newPayment");
  const shared = useTranslations("form");
  const { key: leastKey, ...least } = at("least");
  const { key: mostKey, ...most } = at("most");
  return (
    <div className={classes.numbers}>
      <TextInput
        key={leastKey}
        className={classes.half}
        label={shared("optional", { label: t("lineLeast") })}
        inputMode="numeric"
        {...least}
      />
      <TextInput
        key={mostKey}
        className={classes.half}
        label={shared("optional", { label: t("lineMost") })}
        inputMode="numeric"
        {...most}
      />
    </div>
  );
}

/** What a quantity counts. */
function Unit({ at, value, locale }: { at: FieldOf<"unit">; value: string; locale: string }) {
  const t = useTranslations("newPayment");
  const { key, ...field } = at("unit");
  return <NativeSelect key={key} label={t("lineUnit")} data={unitsFor(value, t("pieces"), locale)} {...field} />;
}

/** Why the rate of a line is 0. */
function Exemption({ at, value }: { at: FieldOf<"category" | "exemption">; value: LineValues["category"] }) {
  const t = useTranslations("newPayment");
  const shared = useTranslations("form");
  const { key: categoryKey, ...category } = at("category");
  const { key: reasonKey, ...reason } = at("exemption");
  const data = untaxedCategories.map((one) => ({ value: one, label: t(`taxCategories.${one}`) }));
  const label = t("lineExemption");
  const reasonLabel = value === "E" ? label : shared("optional", { label });
  return (
    <>
      <NativeSelect key={categoryKey} className={classes.whole} label={t("lineCategory")} data={data} {...category} />
      {value !== "Z" && (
        <TextInput
          key={reasonKey}
          className={classes.whole}
          label={reasonLabel}
          maxLength={limits.invoice.exemptionReason}
          {...reason}
        />
      )}
    </>
  );
}

type Numbers = "quantity" | "unit" | "price" | "discount" | "tax" | "category" | "exemption";

/** The total of the line, before tax if it is taxed. */
function Total({ line, typed: { currency }, locale }: Pick<NumbersProps, "line" | "typed" | "locale">) {
  const t = useTranslations("newPayment");
  const net = lineNetOf(line, currency, locale);
  if (net === null) return null;
  const isTaxed = (basisPointsOf(line.tax, locale) ?? 0) > 0;
  const amount = formatMoney(net, currency, locale);
  return <p className={classes.total}>{t(isTaxed ? "lineTotalNet" : "lineTotal", { amount })}</p>;
}

interface NumbersProps extends Pick<MoreProps, "typed" | "locale"> {
  at: FieldOf<Numbers>;
  line: LineValues;
}

/** What the line costs. */
function CostFields({ at, line, typed, locale }: NumbersProps) {
  const t = useTranslations("newPayment");
  const money = { currency: typed.currency, locale, preview: { empty: "", understood: (amount: string) => amount } };
  const { key: quantityKey, ...quantity } = at("quantity");
  const { key: priceKey, ...price } = at("price");
  const { key: discountKey, ...discount } = at("discount");
  const { key: taxKey, ...tax } = at("tax");
  return (
    <div className={classes.numbers}>
      <TextInput
        key={quantityKey}
        label={t("lineQuantity")}
        description={t("lineQuantityHelp")}
        inputMode="numeric"
        {...quantity}
      />
      <Unit at={at} value={line.unit} locale={locale} />
      <MoneyInput
        key={priceKey}
        className={classes.price}
        label={t("linePrice")}
        text={line.price}
        {...money}
        {...price}
      />
      <MoneyInput
        key={discountKey}
        className={classes.half}
        label={t("lineDiscount")}
        text={line.discount}
        {...money}
        {...discount}
      />
      <TextInput key={taxKey} className={classes.half} label={t("lineTax")} inputMode="decimal" {...tax} />
      {isUntaxed(line, locale) && <Exemption at={at} value={line.category} />}
      <Total {...{ line, typed, locale }} />
    </div>
  );
}

export function LineItemFields({ form, typed, locale }: MoreProps) {
  const t = useTranslations("newPayment");
  const { add, remove, addButton } = useFieldRows({
    count: typed.lines.length,
    firstId: (index) => `lines.${index}.name`,
    insert: () => form.insertListItem("lines", { ...blankLine }),
    removeAt: (index) => form.removeListItem("lines", index),
  });
  const total = typed.lines.length > 0 ? linesTotal(typed.lines, typed.currency, locale) : null;
  const at = (index: number, name: string) => {
    const path = `lines.${index}.${name}`;
    return { key: form.key(path), id: path, autoComplete: "off", size: "sm", ...form.getInputProps(path) } as const;
  };
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{t("lines")}</legend>
      <p className={classes.help}>{t("linesHelp")}</p>
      {typed.lines.map((line, index) => {
        const number = index + 1;
        const { key: nameKey, ...name } = at(index, "name");
        return (
          <fieldset key={nameKey} className={classes.line}>
            <legend className="visually-hidden">{t("line", { number })}</legend>
            <TextInput key={nameKey} className={classes.wide} label={t("lineName")} maxLength={limits.name} {...name} />
            <CloseButton
              className={classes.remove}
              aria-label={t("removeLine", { number })}
              onClick={() => remove(index)}
            />
            <CostFields at={(name) => at(index, name)} {...{ line, typed, locale }} />
            {isReusableForm(typed) && <Range at={(name) => at(index, name)} />}
          </fieldset>
        );
      })}
      {typed.lines.length < limits.lineItems && (
        <Button
          ref={addButton}
          variant="default"
          size="sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={add}
        >
          {t("addLine")}
        </Button>
      )}
      {total !== null && (
        <p className={classes.sum}>{t("linesTotalIs", { amount: formatMoney(total, typed.currency, locale) })}</p>
      )}
    </fieldset>
  );
}
