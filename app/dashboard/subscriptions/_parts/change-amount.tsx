// Changes what the coming cycles of a subscription cost.
"use client";
import { Button, Checkbox } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useActDialog } from "@/app/_ui/act-dialog";
import { useAmountForm } from "@/app/_ui/amount-form";
import { Dialog } from "@/app/_ui/dialog";
import classes from "@/app/_ui/form.module.css";
import { MoneyInput } from "@/app/_ui/money-input";
import { formatMoney } from "@/app/_ui/money-text";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { limits } from "@/server/kit/limits";

interface Props {
  id: string;
  name: string;
  /** Minor units that it costs now. */
  amount: number;
  /** Minor units that were charged last. */
  charged: number;
  currency: string;
  /** Whether line items say what it is made of. */
  hasLines: boolean;
  /** "every month". */
  every: string;
  locale: string;
}

export function ChangeAmount(props: Props) {
  const t = useTranslations("subscriptionActs");
  const { isOpen, open, close, isBusy, onBusy } = useActDialog();
  const onDone = (amount: number) =>
    close({ done: t("amountChanged", { amount: formatMoney(amount, props.currency, props.locale) }) });
  return (
    <>
      <Button variant="default" onClick={open}>
        {t("changeAmount")}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => close()} title={t("amountTitle", { name: props.name })} isBusy={isBusy}>
        <AmountForm {...props} onDone={onDone} isBusy={isBusy} onBusy={onBusy} close={() => close()} />
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

function AmountForm({ close, isBusy, ...props }: FormProps) {
  const { id: subscription_id, amount: before, charged, hasLines, currency, locale, every } = props;
  const t = useTranslations("subscriptionActs");
  const api = useTRPCClient();
  /** The amount that is meant although it is much larger than what was charged last. */
  const [confirmed, setConfirmed] = useState<number | null>(null);
  const isMuch = (amount: number) => amount > limits.subscriptionAmountFactor * charged;
  const shown = (amount: number) => formatMoney(amount, currency, locale);
  const { form, typed, amount, formProps, summary } = useAmountForm({
    ...props,
    proposed: before,
    problemWith: (typedAmount) =>
      isMuch(typedAmount) && confirmed !== typedAmount ? t("amountMuch", { before: shown(charged) }) : null,
    act: (amount, idempotencyKey) =>
      api.subscriptions.update.mutate(
        {
          ...{ subscription_id, amount, confirm_amount: confirmed === amount },
          ...(hasLines && amount !== before && { line_items: [] }),
        },
        { context: { idempotencyKey } },
      ),
  });
  const empty = t("amountEmpty", { every });
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      <MoneyInput
        key={form.key("amount")}
        id="subscription-amount"
        name="amount"
        label={t("amount")}
        text={typed}
        currency={currency}
        locale={locale}
        preview={{ empty, understood: (amount) => t("amountPreview", { amount, every }) }}
        {...form.getInputProps("amount")}
      />
      {amount !== null && isMuch(amount) && (
        <Checkbox
          label={t("amountConfirm", { amount: shown(amount), before: shown(charged), every })}
          checked={confirmed === amount}
          onChange={(event) => {
            setConfirmed(event.currentTarget.checked ? amount : null);
            form.clearFieldError("amount");
          }}
        />
      )}
      <p className={classes.below}>{t("amountText")}</p>
      {hasLines && <p className={classes.below}>{t("amountLines")}</p>}
      <div className={classes.actions}>
        <Button variant="default" disabled={isBusy} onClick={close}>
          {t("dismiss")}
        </Button>
        <Button type="submit" loading={isBusy}>
          {t("saveAmount")}
        </Button>
      </div>
    </form>
  );
}
