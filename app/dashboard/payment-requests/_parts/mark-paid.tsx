// Marks a payment request as paid: how much arrived, how and when, and a note.
"use client";
import { Button, Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useActDialog } from "@/app/_ui/act-dialog";
import { Dialog } from "@/app/_ui/dialog";
import classes from "@/app/_ui/form.module.css";
import { MoneyInput } from "@/app/_ui/money-input";
import { formatMoney } from "@/app/_ui/money-text";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { limits } from "@/server/kit/limits";
import { type Marking, useMarkPaid } from "./marking";

interface Props extends Marking {
  /** The payment request's title. */
  title: string;
}

export function MarkPaid({ title, ...marking }: Props) {
  const t = useTranslations("markPaid");
  const { isOpen, open, close, isBusy, onBusy } = useActDialog();
  const onDone = (amount: number) =>
    close({ done: t("done", { amount: formatMoney(amount, marking.currency, marking.locale) }) });
  return (
    <>
      <Button variant="default" onClick={open}>
        {t("open")}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => close()} title={t("title", { title })} isBusy={isBusy}>
        <MarkPaidForm {...marking} onDone={onDone} isBusy={isBusy} onBusy={onBusy} close={() => close()} />
      </Dialog>
    </>
  );
}

interface FormProps extends Marking {
  onDone(amount: number): void;
  isBusy: boolean;
  onBusy(isBusy: boolean): void;
  close(): void;
}

function MarkPaidForm({ close, isBusy, ...props }: FormProps) {
  const { due, mayCredit, currency, locale, methods } = props;
  const t = useTranslations("markPaid");
  const shared = useTranslations("form");
  const optional = (name: "method" | "received" | "note" | "reference") => shared("optional", { label: t(name) });
  const { form, amount, typed, keepsSurplus, formProps, summary } = useMarkPaid(props);
  const field = (name: Parameters<typeof form.getInputProps>[0]) => ({
    id: `mark-${name}`,
    name,
    ...form.getInputProps(name),
  });
  const consequence = useConsequence({ ...props, amount, keepsSurplus });
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <MoneyInput
        key={form.key("amount")}
        label={t("amount")}
        text={typed}
        currency={currency}
        locale={locale}
        preview={{ empty: consequence(), understood: consequence }}
        {...field("amount")}
      />
      {mayCredit && amount !== null && amount > due && (
        <Checkbox
          key={form.key("keepSurplus")}
          label={t("keepSurplus", { surplus: formatMoney(amount - due, currency, locale) })}
          id="mark-keepSurplus"
          name="keepSurplus"
          {...form.getInputProps("keepSurplus", { type: "checkbox" })}
        />
      )}
      <div className={classes.pair}>
        <NativeSelect key={form.key("method")} label={optional("method")} data={[...methods]} {...field("method")} />
        <TextInput
          key={form.key("received")}
          type="date"
          label={optional("received")}
          description={t("receivedHelp")}
          {...field("received")}
        />
      </div>
      <TextInput
        key={form.key("note")}
        label={optional("note")}
        description={t("noteHelp")}
        maxLength={limits.reason}
        autoComplete="off"
        {...field("note")}
      />
      <TextInput
        key={form.key("reference")}
        label={optional("reference")}
        description={t("referenceHelp")}
        maxLength={limits.reference}
        autoComplete="off"
        {...field("reference")}
      />
      <div className={classes.actions}>
        <Button variant="default" disabled={isBusy} onClick={close}>
          {t("cancel")}
        </Button>
        <Button type="submit" loading={isBusy}>
          {t("submit")}
        </Button>
      </div>
    </form>
  );
}

interface Typed extends Pick<Marking, "due" | "mayCredit" | "currency" | "locale"> {
  /** Minor units; null if it cannot be read. */
  amount: number | null;
  keepsSurplus: boolean;
}

/** What recording the typed amount leads to, in words. */
function useConsequence({ due, mayCredit, currency, locale, amount, keepsSurplus }: Typed): () => string {
  const t = useTranslations("markPaid");
  const formatted = (value: number) => formatMoney(value, currency, locale);
  return () => {
    if (amount === due) return t("all");
    if (amount !== null && amount < due) return t("part", { rest: formatted(due - amount) });
    if (amount !== null && mayCredit && keepsSurplus) return t("credit", { surplus: formatted(amount - due) });
    return t("most", { amount: formatted(due) });
  };
}
