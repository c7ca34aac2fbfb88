// The line items of a payment request: name, quantity, price, and optional discount and tax. Their sum is the amount.
"use client";
import { Button, CloseButton, NativeSelect, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useFieldRows } from "@/app/_ui/field-rows";
import { MoneyInput } from "@/app/_ui/money-input";
import { limits } from "@/server/kit/limits";
import classes from "./field-rows.module.css";
import { blankLine, isUntaxed, type LineValues, unitsFor, untaxedCategories } from "./line-values";
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
      <TextInput key={leastKey} label={shared("optional", { label: t("lineLeast") })} inputMode="numeric" {...least} />
      <TextInput key={mostKey} label={shared("optional", { label: t("lineMost") })} inputMode="numeric" {...most} />
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
      <NativeSelect key={categoryKey} className={classes.half} label={t("lineCategory")} data={data} {...category} />
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

export function LineItemFields({ form, typed, locale }: MoreProps) {
  const t = useTranslations("newPayment");
  const { add, remove, addButton } = useFieldRows({
    count: typed.lines.length,
    firstId: (index) => `lines.${index}.name`,
    insert: () => form.insertListItem("lines", { ...blankLine }),
    removeAt: (index) => form.removeListItem("lines", index),
  });
  const money = { currency: typed.currency, locale, preview: { empty: "", understood: (amount: string) => amount } };
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
        const { key: quantityKey, ...quantity } = at(index, "quantity");
        const { key: priceKey, ...price } = at(index, "price");
        const { key: discountKey, ...discount } = at(index, "discount");
        const { key: taxKey, ...tax } = at(index, "tax");
        return (
          <fieldset key={nameKey} className={classes.line}>
            <legend className="visually-hidden">{t("line", { number })}</legend>
            <TextInput key={nameKey} className={classes.wide} label={t("lineName")} maxLength={limits.name} {...name} />
            <CloseButton
              className={classes.remove}
              aria-label={t("removeLine", { number })}
              onClick={() => remove(index)}
            />
            <div className={classes.numbers}>
              <TextInput key={quantityKey} label={t("lineQuantity")} inputMode="numeric" {...quantity} />
              <Unit at={(name) => at(index, name)} value={line.unit} locale={locale} />
              <MoneyInput key={priceKey} label={t("linePrice")} text={line.price} {...money} {...price} />
              <MoneyInput key={discountKey} label={t("lineDiscount")} text={line.discount} {...money} {...discount} />
              <TextInput key={taxKey} label={t("lineTax")} inputMode="decimal" {...tax} />
              {isUntaxed(line, locale) && <Exemption at={(name) => at(index, name)} value={line.category} />}
            </div>
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
    </fieldset>
  );
}
