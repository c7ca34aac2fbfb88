// A button whose action needs confirmation:
// <ConfirmDialog label={t("cancel")} title={t("cancelOf", { name })} confirm={t("cancel")} isDanger
//   act={(key) => api.payments.cancel.mutate({ payment_id }, { context: { idempotencyKey: key } })}
// >{t("whatFollows")}</ConfirmDialog>
// The focus starts on the text to type, otherwise on Cancel. The dialog shows a refusal, and the password field if the server asks for a fresh
// sign-in; afterwards the page reloads and says what was done, unless `onDone` handles that.
"use client";
import { Button, type ButtonProps } from "@mantine/core";
import { type MouseEvent, type ReactNode, Suspense } from "react";
import { useActDialog } from "./act-dialog";
import danger from "./danger.module.css";
import { Dialog } from "./dialog";
import { onDemand } from "./on-demand";

/** Loads when a dialog opens. */
const Question = onDemand(async () => (await import("./confirm-question")).Question);

export interface ConfirmProps extends Pick<ButtonProps, "variant" | "size" | "leftSection"> {
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
  /** Called when the dialog opens, to reset what its fields chose the last time. */
  onOpen?(): void;
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
  onOpen,
  ...question
}: ConfirmProps) {
  const { isOpen, open, close, isBusy, onBusy } = useActDialog();
  const show = (event: MouseEvent<HTMLElement>) => {
    onOpen?.();
    open(event);
  };
  const finish = () => {
    close(onDone ? { refresh: false } : { done });
    onDone?.();
  };
  return (
    <>
      <Button
        variant={variant}
        size={size}
        leftSection={leftSection}
        aria-label={fullLabel}
        className={question.isDanger ? (danger.button ?? "") : ""}
        data-danger={question.isDanger}
        onClick={show}
      >
        {label}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => close()} title={title} isBusy={isBusy}>
        <Suspense>
          <Question {...question} close={() => close()} finish={finish} isBusy={isBusy} onBusy={onBusy} />
        </Suspense>
      </Dialog>
    </>
  );
}
