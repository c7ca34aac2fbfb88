// Captures an authorization, in full or in part; says beforehand what happens to the rest.
"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { useActDialog } from "@/app/_ui/act-dialog";
import { useAmountForm } from "@/app/_ui/amount-form";
import { Dialog } from "@/app/_ui/dialog";
import classes from "@/app/_ui/form.module.css";
import { MoneyInput } from "@/app/_ui/money-input";
import { formatMoney } from "@/app/_ui/money-text";
import { ProblemSummary } from "@/app/_ui/problem-summary";

interface Props {
  id: string;
  /** The payment request's title. */
  title: string;
  /** Minor units that are authorized and not captured. */
  capturable: number;
  currency: string;
  locale: string;
}

export function CaptureDialog(props: Props) {
  const t = useTranslations("paymentActs");
  const { isOpen, open, close, isBusy, onBusy } = useActDialog();
  const onDone = (amount: number) =>
    close({ done: t("captureDone", { amount: formatMoney(amount, props.currency, props.locale) }) });
  return (
    <>
      {props.capturable > 0 && <Button onClick={open}>{t("capture")}</Button>}
      <Dialog isOpen={isOpen} onClose={() => close()} title={t("captureTitle", { title: props.title })} isBusy={isBusy}>
        <CaptureForm {...props} onDone={onDone} isBusy={isBusy} onBusy={onBusy} close={() => close()} />
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

function CaptureForm({ close, isBusy, ...props }: FormProps) {
  const { capturable, currency, locale } = props;
  const t = useTranslations("paymentActs");
  const { form, amount, typed, formProps, summary } = useCapture(props);
  const formatted = (value: number) => formatMoney(value, currency, locale);
  const consequence = () => {
    if (amount === null || amount > capturable) return t("captureMost", { amount: formatted(capturable) });
    const rest = formatted(capturable - amount);
    return t(amount === capturable ? "captureAll" : "capturePart", { amount: formatted(amount), rest });
  };
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <MoneyInput
        key={form.key("amount")}
        id="capture-amount"
        name="amount"
        label={t("captureAmount")}
        text={typed}
        currency={currency}
        locale={locale}
        preview={{ empty: consequence(), understood: consequence }}
        {...form.getInputProps("amount")}
      />
      <div className={classes.actions}>
        <Button variant="default" disabled={isBusy} onClick={close}>
          {t("dismiss")}
        </Button>
        <Button type="submit" loading={isBusy}>
          {amount === null || amount > capturable ? t("capture") : t("captureSubmit", { amount: formatted(amount) })}
        </Button>
      </div>
    </form>
  );
}

/** The state of the form: its value, the problem with it, the server's answer. */
function useCapture({ id: payment_id, capturable, ...form }: Omit<FormProps, "close" | "isBusy">) {
  const t = useTranslations("paymentActs");
  const api = useTRPCClient();
  const { currency, locale } = form;
  return useAmountForm({
    ...form,
    proposed: capturable,
    problemWith: (amount) =>
      amount > capturable ? t("captureTooMuch", { amount: formatMoney(capturable, currency, locale) }) : null,
    act: (amount, idempotencyKey) =>
      api.payments.capture.mutate({ payment_id, amount }, { context: { idempotencyKey } }),
  });
}
