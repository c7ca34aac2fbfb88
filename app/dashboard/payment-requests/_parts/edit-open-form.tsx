// The form that changes what may still change of a payment request that waits for its customer.
"use client";
import { Button, TextInput } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { ButtonLink } from "@/app/_ui/button-link";
import { firstField } from "@/app/_ui/first-field";
import form from "@/app/_ui/form.module.css";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { useOutcome } from "@/app/_ui/outcome";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { limits } from "@/server/kit/limits";
import { changesOf, contentOf } from "./content-values";
import { CustomerFields } from "./customer-fields";
import { DueField } from "./due-field";
import { MetadataFields } from "./metadata-fields";
import { type Choices, useRequestForm } from "./new-payment";
import classes from "./new-payment-form.module.css";
import { paymentPath } from "./payment-path";
import { ReminderField } from "./reminder-field";
import { hasInstallments, type RequestValues } from "./request-values";

interface Props extends Choices {
  id: string;
  /** Whether it is an invoice with a number, which keeps what it says. */
  isIssued: boolean;
  /** Whether its customer may still change: the invoice is not issued, and nobody has tried to pay. */
  mayReaddress: boolean;
}

export function EditOpenForm({ id, isIssued, mayReaddress, ...choices }: Props) {
  const t = useTranslations("newPayment");
  const shared = useTranslations("form");
  const router = useRouter();
  const api = useTRPCClient();
  const { announceNext } = useOutcome();
  const { keyFor, answered } = useIdempotencyKey();
  const { form: fields, typed, options } = useRequestForm({ ...choices, isOpen: true });
  const field = (name: string) => ({ id: name, name, ...fields.getInputProps(name) });
  async function save(values: RequestValues): Promise<void> {
    const { locale, initial } = choices;
    const input = { payment_id: id, ...changesOf(contentOf(initial, locale), contentOf(values, locale)) };
    try {
      await api.payments.update.mutate(input, { context: { idempotencyKey: keyFor(input) } });
    } catch (error) {
      answered(error);
      throw error;
    }
  }
  function onDone() {
    announceNext(t("changed"));
    router.push(paymentPath(id));
    router.refresh();
  }
  const { formProps, summary, isSending } = useFormSubmission(fields, save, onDone, { ...options, asksToLeave: true });
  return (
    <form {...formProps} className={form.fields}>
      <ProblemSummary {...summary} />
      {isIssued && <p className={classes.note}>{t("issuedNote")}</p>}
      <TextInput
        key={fields.key("description")}
        label={t("description")}
        description={t("descriptionHelp")}
        autoComplete="off"
        maxLength={limits.description}
        {...firstField(field("description"))}
      />
      {mayReaddress && <CustomerFields form={fields} typed={typed} />}
      <div className={form.pair}>
        {typed.type === "invoice" && !hasInstallments(typed) && (
          <DueField form={fields} typed={typed} locale={choices.locale} today={choices.today} />
        )}
        <TextInput
          key={fields.key("expires")}
          type="date"
          label={shared("optional", { label: t("expires") })}
          {...field("expires")}
        />
      </div>
      <ReminderField form={fields} typed={typed} />
      <MetadataFields form={fields} typed={typed} locale={choices.locale} />
      <div className={form.actions}>
        <Button type="submit" loading={isSending}>
          {t("saveChanges")}
        </Button>
        <ButtonLink href={paymentPath(id)} variant="outline">
          {t("cancel")}
        </ButtonLink>
      </div>
    </form>
  );
}
