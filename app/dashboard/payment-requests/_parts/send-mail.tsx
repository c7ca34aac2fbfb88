// Mails a payment request to its customer, with a message; those who may can send it to another address.
"use client";
import { Button, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { useActDialog } from "@/app/_ui/act-dialog";
import { Dialog } from "@/app/_ui/dialog";
import { isEmail } from "@/app/_ui/email-text";
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
  customer: string | null;
  /** Whether it may be sent to another address. */
  mayChoose: boolean;
  /** Whether a mail server is set up. */
  hasMail: boolean;
}

export function SendMail(props: Props) {
  const t = useTranslations("sendMail");
  const { isOpen, open, close, isBusy, onBusy } = useActDialog();
  return (
    <>
      <Button variant="default" onClick={open}>
        {t("open")}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => close()} title={t("title", { title: props.title })} isBusy={isBusy}>
        <SendForm {...props} onDone={close} isBusy={isBusy} onBusy={onBusy} close={() => close()} />
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

function SendForm({ id, customer, mayChoose, hasMail, onDone, isBusy, onBusy, close }: FormProps) {
  const t = useTranslations("sendMail");
  const shared = useTranslations("form");
  const api = useTRPCClient();
  const { keyFor, answered } = useIdempotencyKey();
  const max = limits.mail.message;
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { to: customer ?? "", message: "" },
    validate: {
      to: (text) => (isEmail(text) ? null : t("toMissing")),
      message: (text) => (text.length > max ? t("messageLong", { max }) : null),
    },
  });
  async function send({ to, message }: { to: string; message: string }): Promise<MailOutcome> {
    const text = message.trim();
    const input = { payment_id: id, to: to.trim(), ...(text === "" ? {} : { message: text }) };
    onBusy(true);
    try {
      const sent = await api.payments.send.mutate(input, { context: { idempotencyKey: keyFor(input) } });
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
      {!hasMail && <HeldNotice />}
      <TextInput
        key={form.key("to")}
        id="to"
        name="to"
        type="email"
        label={t("to")}
        description={mayChoose ? undefined : t("toCustomer")}
        readOnly={!mayChoose}
        maxLength={limits.email}
        autoComplete="off"
        {...form.getInputProps("to")}
      />
      <Textarea
        key={form.key("message")}
        id="message"
        name="message"
        label={shared("optional", { label: t("message") })}
        description={t("messageHelp", { max })}
        rows={4}
        {...form.getInputProps("message")}
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
