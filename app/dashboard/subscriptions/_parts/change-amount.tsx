// Changes what the coming cycles of a subscription cost.
"use client";
import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { useActDialog } from "@/app/_ui/act-dialog";
import { Dialog } from "@/app/_ui/dialog";
import classes from "@/app/_ui/form.module.css";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { MoneyInput } from "@/app/_ui/money-input";
import { useMoneyProblem } from "@/app/_ui/money-problem";
import { formatMoney, moneyText, parseMoney } from "@/app/_ui/money-text";
import { ProblemSummary } from "@/app/_ui/problem-summary";

interface Props {
  id: string;
  name: string;
  /** Minor units that it costs now. */
  amount: number;
  currency: string;
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
  const { currency, locale, every } = props;
  const t = useTranslations("subscriptionActs");
  const { form, typed, formProps, summary } = useAmount(props);
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
      <p className={classes.below}>{t("amountText")}</p>
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

/** The state of the form: its value, the problem with it, the server's answer. */
function useAmount({ id, amount: present, currency, locale, onDone, onBusy }: Omit<FormProps, "close" | "isBusy">) {
  const api = useTRPCClient();
  const { keyFor, answered } = useIdempotencyKey();
  const moneyProblem = useMoneyProblem(locale);
  const [typed, setTyped] = useState(() => moneyText(present, currency, locale));
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { amount: moneyText(present, currency, locale) },
    validateInputOnBlur: true,
    validate: { amount: (text) => moneyProblem(text, currency) },
    onValuesChange: ({ amount }) => setTyped(amount),
  });
  async function send(values: { amount: string }): Promise<number> {
    const parsed = parseMoney(values.amount, currency, locale);
    if (!("amount" in parsed)) throw new Error("The form was sent with an amount that it had refused.");
    const input = { subscription_id: id, amount: parsed.amount };
    onBusy(true);
    try {
      await api.subscriptions.update.mutate(input, { context: { idempotencyKey: keyFor(input) } });
      return parsed.amount;
    } catch (error) {
      answered(error);
      throw error;
    } finally {
      onBusy(false);
    }
  }
  return { form, typed, ...useFormSubmission(form, send, onDone) };
}
