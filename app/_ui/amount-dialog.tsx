// A button whose action needs an amount of money, up to a bound: the dialog proposes all of it, and says what follows.
"use client";
import { Button, type ButtonProps } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useActDialog } from "./act-dialog";
import { useAmountForm } from "./amount-form";
import { Dialog } from "./dialog";
import classes from "./form.module.css";
import { MoneyInput } from "./money-input";
import { ProblemSummary } from "./problem-summary";

interface Props extends Pick<ButtonProps, "variant"> {
  /** The id of the field. */
  id: string;
  /** The label of the button that opens the dialog, which is absent while there is nothing to act on. */
  label: string;
  /** Names the object: "Capture “Wedding cake”" */
  title: string;
  /** Minor units: the most that can be chosen, and the proposal. */
  most: number;
  currency: string;
  locale: string;
  /** What is wrong with more than that. */
  tooMuch: string;
  /** What follows from the amount; null while the text is none, or too much. */
  consequence(amount: number | null): string;
  /** The label of the confirming button, a verb. */
  confirm(amount: number | null): string;
  /** Receives the amount, and the Idempotency-Key to send. */
  act(amount: number, key: string): Promise<unknown>;
  /** What was done, announced on the page afterwards. */
  done(amount: number): string;
}

export function AmountDialog({ label, variant, title, done, ...form }: Props) {
  const { isOpen, open, close, isBusy, onBusy } = useActDialog();
  return (
    <>
      {form.most > 0 && (
        <Button {...(variant !== undefined && { variant })} onClick={open}>
          {label}
        </Button>
      )}
      <Dialog isOpen={isOpen} onClose={() => close()} title={title} isBusy={isBusy}>
        <AmountForm
          {...form}
          onDone={(amount) => close({ done: done(amount) })}
          isBusy={isBusy}
          onBusy={onBusy}
          close={() => close()}
        />
      </Dialog>
    </>
  );
}

interface FormProps extends Omit<Props, "label" | "variant" | "title" | "done"> {
  onDone(amount: number): void;
  isBusy: boolean;
  onBusy(isBusy: boolean): void;
  close(): void;
}

function AmountForm({ id, most, tooMuch, consequence, confirm, close, isBusy, ...rest }: FormProps) {
  const t = useTranslations("dialog");
  const { currency, locale } = rest;
  const { form, amount, typed, formProps, summary } = useAmountForm({
    ...rest,
    proposed: most,
    problemWith: (chosen) => (chosen > most ? tooMuch : null),
  });
  const chosen = amount === null || amount > most ? null : amount;
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <MoneyInput
        key={form.key("amount")}
        id={id}
        name="amount"
        label={t("amount")}
        text={typed}
        currency={currency}
        locale={locale}
        preview={{ empty: consequence(chosen), understood: () => consequence(chosen) }}
        {...form.getInputProps("amount")}
      />
      <div className={classes.actions}>
        <Button variant="default" disabled={isBusy} onClick={close}>
          {t("cancel")}
        </Button>
        <Button type="submit" loading={isBusy}>
          {confirm(chosen)}
        </Button>
      </div>
    </form>
  );
}
