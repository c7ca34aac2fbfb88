// Refunds a payment, in full or in part, with a reason; says beforehand how much will remain.
"use client";
import { Button, NativeSelect } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useActDialog } from "@/app/_ui/act-dialog";
import danger from "@/app/_ui/danger.module.css";
import { Dialog } from "@/app/_ui/dialog";
import classes from "@/app/_ui/form.module.css";
import { MoneyInput } from "@/app/_ui/money-input";
import { formatMoney } from "@/app/_ui/money-text";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { type Refunding, reasons, useRefund } from "./refund";
import own from "./refund-dialog.module.css";

interface Props extends Refunding {
  /** Minor units. */
  remaining: number;
  /** Of an issued invoice that is refunded, for which a credit note is made. */
  invoiceNumber?: string | null;
}

export function RefundDialog(props: Props) {
  const t = useTranslations("refund");
  const { isOpen, open, close, isBusy, onBusy } = useActDialog();
  const onDone = (amount: number) =>
    close({
      done: t(props.payment.isOfCredit ? "doneCredit" : "done", {
        amount: formatMoney(amount, props.payment.currency, props.locale),
      }),
    });
  return (
    <>
      {props.remaining > 0 && (
        <Button variant="default" className={danger.button ?? ""} data-danger onClick={open}>
          {t("open")}
        </Button>
      )}
      <Dialog isOpen={isOpen} onClose={() => close()} title={t("title")} isBusy={isBusy}>
        <RefundForm {...props} onDone={onDone} isBusy={isBusy} onBusy={onBusy} close={() => close()} />
      </Dialog>
    </>
  );
}

interface FormProps extends Props {
  onDone(amount: number): void;
  isBusy: boolean;
  onBusy(isBusy: boolean): void;
  close(): void;
}

function RefundForm({ payment, remaining, invoiceNumber = null, locale, onDone, isBusy, onBusy, close }: FormProps) {
  const t = useTranslations("refund");
  const { form, typed, amount, stepUpField, formProps, summary } = useRefund({
    payment,
    remaining,
    locale,
    onDone,
    onBusy,
  });
  const formatted = (value: number) => formatMoney(value, payment.currency, locale);
  const most = t("most", { amount: formatted(remaining) });
  const preview = payment.isOfCredit ? "previewCredit" : "preview";
  const isPossible = amount !== null && amount <= remaining;
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <MoneyInput
        key={form.key("amount")}
        id="amount"
        name="amount"
        label={t("amount")}
        text={typed}
        currency={payment.currency}
        locale={locale}
        preview={{ empty: most, understood: (text) => (isPossible ? t(preview, { amount: text }) : most) }}
        {...form.getInputProps("amount")}
      />
      <NativeSelect
        key={form.key("reason")}
        id="reason"
        name="reason"
        label={t("reason")}
        data={[
          { value: "", label: t("noReason") },
          ...reasons.map((value) => ({ value, label: t(`reasons.${value}`) })),
        ]}
        {...form.getInputProps("reason")}
      />
      <p role="status" className={own.result}>
        {isPossible && t("result", { left: formatted(remaining - amount), captured: formatted(payment.captured) })}
      </p>
      {invoiceNumber !== null && <p className={own.result}>{t("creditNote", { number: invoiceNumber })}</p>}
      {stepUpField}
      <div className={classes.actions}>
        <Button variant="default" disabled={isBusy} onClick={close}>
          {t("cancel")}
        </Button>
        <Button type="submit" color="red" loading={isBusy}>
          {isPossible ? t("submit", { amount: formatted(amount) }) : t("submitEmpty")}
        </Button>
      </div>
    </form>
  );
}
