// A button whose action needs confirmation:
// <ConfirmDialog label={t("cancel")} title={t("cancelOf", { name })} confirm={t("cancel")} isDanger
//   act={(key) => api.payments.cancel.mutate({ payment_id }, { context: { idempotencyKey: key } })}
// >{t("whatFollows")}</ConfirmDialog>
// The focus starts on the text to type, otherwise on Cancel. The dialog shows a refusal, and the password field if the server asks for a fresh
// sign-in; afterwards the page reloads and says what was done, unless `onDone` handles that.
"use client";
import { Button, type ButtonProps, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useActKey } from "../_trpc/idempotency-key";
import { useActDialog } from "./act-dialog";
import classes from "./confirm-dialog.module.css";
import { Dialog } from "./dialog";
import { looksLike } from "./like-text";
import { ProblemSummary } from "./problem-summary";
import { useStepUp } from "./step-up";

interface Props extends Pick<ButtonProps, "variant" | "size" | "leftSection"> {
  /** The label of the button that opens the dialog. */
  label: string;
  /** The label with its object, for screen readers, where several such buttons are on a page. */
  fullLabel?: string;
  /** Names the object: "Cancel the request “Wedding cake”?" */
  title: string;
  /** The consequences. */
  children: ReactNode;
  /** The label of the confirming button, a verb. */
  confirm: string;
  /** The label of the dismissing button, where "Cancel" would be ambiguous. */
  dismiss?: string;
  isDanger?: boolean;
  /** A text that the user must type first, for actions that cannot be undone. */
  typed?: string;
  /** Receives the Idempotency-Key to send. */
  act(key: string): Promise<unknown>;
  /** What was done, announced on the page afterwards. */
  done: string;
  onDone?(): void;
}

export function ConfirmDialog({
  label,
  fullLabel,
  title,
  variant = "default",
  size,
  leftSection,
  done,
  onDone,
  ...question
}: Props) {
  const { isOpen, open, close, isBusy, onBusy } = useActDialog();
  const finish = () => {
    close(onDone ? { refresh: false } : { done });
    onDone?.();
  };
  return (
    <>
      <Button variant={variant} size={size} leftSection={leftSection} aria-label={fullLabel} onClick={open}>
        {label}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => close()} title={title} isBusy={isBusy}>
        <Question {...question} close={() => close()} finish={finish} isBusy={isBusy} onBusy={onBusy} />
      </Dialog>
    </>
  );
}

interface QuestionProps extends Pick<Props, "children" | "confirm" | "dismiss" | "isDanger" | "typed" | "act"> {
  close(): void;
  finish(): void;
  isBusy: boolean;
  onBusy(isBusy: boolean): void;
}

function Question(props: QuestionProps) {
  const { children, confirm, dismiss, isDanger = false, typed, act, close, finish, isBusy, onBusy } = props;
  const t = useTranslations("dialog");
  const { key, answered } = useActKey();
  const { withStepUp, field, isShownInField } = useStepUp();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const cancel = useRef<HTMLButtonElement>(null);
  const confirmation = useRef<HTMLInputElement>(null);
  const mutation = useMutation({
    mutationFn: () => withStepUp(() => act(key())),
    onSuccess: finish,
    onError(error) {
      answered(error);
      setAttempt((count) => count + 1);
    },
    onSettled: () => onBusy(false),
  });
  useEffect(() => (confirmation.current ?? cancel.current)?.focus(), []);
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    if (typed !== undefined && !looksLike(text, typed)) {
      setProblem(t("typedWrong", { text: typed }));
      return confirmation.current?.focus();
    }
    onBusy(true);
    mutation.mutate();
  }
  return (
    <form onSubmit={onSubmit} noValidate className={classes.form}>
      <ProblemSummary fields={[]} refusal={isShownInField(mutation.error) ? null : mutation.error} attempt={attempt} />
      <div className={classes.text}>{children}</div>
      {typed !== undefined && (
        <TextInput
          ref={confirmation}
          label={t("typed", { text: typed })}
          autoComplete="off"
          value={text}
          error={problem}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setProblem(null);
          }}
        />
      )}
      {field}
      <div className={classes.actions}>
        <Button ref={cancel} variant="default" disabled={isBusy} onClick={close}>
          {dismiss ?? t("cancel")}
        </Button>
        <Button type="submit" color={isDanger ? "red" : undefined} loading={isBusy}>
          {confirm}
        </Button>
      </div>
    </form>
  );
}
