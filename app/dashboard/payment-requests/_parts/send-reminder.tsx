// Mails the customer a reminder of a payment request, with a message.
"use client";
import { Button, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { useActDialog } from "@/app/_ui/act-dialog";
import { Dialog } from "@/app/_ui/dialog";
import classes from "@/app/_ui/form.module.css";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { ProblemSummary } from "@/app/_ui/problem-summary";
import { limits } from "@/server/kit/limits";
import { HeldNotice, type MailOutcome, mailOutcome } from "./held-mail";

interface Props {
  id: string;
  /** The payment request's title. */
  title: string;
  /** The customer's address. */
  customer: string;
  /** Whether a mail server is set up. */
  hasMail: boolean;
}

export function SendReminder(props: Props) {
  const t = useTranslations("sendReminder");
  const { isOpen, open, close, isBusy, onBusy } = useActDialog();
  return (
    <>
      <Button variant="default" onClick={open}>
        {t("open")}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => close()} title={t("title", { title: props.title })} isBusy={isBusy}>
        <ReminderForm {...props} onDone={close} isBusy={isBusy} onBusy={onBusy} close={() => close()} />
      </Dialog>
    </>
  );
}

interface FormProps extends Props {
  onDone(outcome: MailOutcome): void;
  isBusy: boolean;
  onBusy(isBusy: boolean): void;
  close(): void;
}

function ReminderForm({ id, customer, hasMail, onDone, isBusy, onBusy, close }: FormProps) {
  const t = useTranslations("sendReminder");
  const mails = useTranslations("sendMail");
  const shared = useTranslations("form");
  const api = useTRPCClient();
  const { keyFor, answered } = useIdempotencyKey();
  const max = limits.mail.message;
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { message: "" },
    validate: { message: (text) => (text.length > max ? mails("messageLong", { max }) : null) },
  });
  async function send({ message }: { message: string }): Promise<MailOutcome> {
    const text = message.trim();
    const input = { payment_id: id, ...(text === "" ? {} : { message: text }) };
    onBusy(true);
    try {
      const sent = await api.payments.remind.mutate(input, { context: { idempotencyKey: keyFor(input) } });
      return mailOutcome(sent.status, (key) => t(key, { to: sent.to }));
    } catch (error) {
      answered(error);
      throw error;
    } finally {
      onBusy(false);
    }
  }
  const { formProps, summary } = useFormSubmission(form, send, onDone);
  return (
    <form {...formProps} className={classes.fields}>
      <ProblemSummary {...summary} />
      {hasMail ? <p>{t("text", { to: customer })}</p> : <HeldNotice />}
      <Textarea
        key={form.key("message")}
        id="reminder-message"
        name="message"
        label={shared("optional", { label: mails("message") })}
        description={mails("messageHelp", { max })}
        rows={4}
        {...form.getInputProps("message")}
      />
      <div className={classes.actions}>
        <Button variant="default" disabled={isBusy} onClick={close}>
          {mails("cancel")}
        </Button>
        <Button type="submit" loading={isBusy}>
          {t("submit")}
        </Button>
      </div>
    </form>
  );
}
