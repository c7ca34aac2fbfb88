// A modal dialog on the browser's <dialog>, which traps the focus, closes on Esc and restores the focus.
// <Dialog isOpen={isOpen} onClose={close} title={t("title")}>…</Dialog>
// `placement="side"` is a drawer, on phones a bottom sheet; `top` leaves the content all of its space. Fields inside use NativeSelect: Mantine renders dropdowns
// elsewhere on the page, where the dialog covers them.
"use client";
import { CloseButton } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type MouseEvent, type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from "react";
import classes from "./dialog.module.css";

interface Props {
  isOpen: boolean;
  onClose(): void;
  title: string;
  /** `side` is at the end of the window, `start` at its beginning. `top` shows no title. */
  placement?: "center" | "side" | "start" | "top";
  /** While an action is in progress, the user cannot close the dialog. */
  isBusy?: boolean;
  /** Rendered only while the dialog is open, so typed text is not kept. */
  children: ReactNode;
}

/** Otherwise the browser focuses the button that closes the dialog. On phones, drawers would bring up the keyboard. */
function focusFirstField(dialog: HTMLDialogElement): void {
  const field = dialog.querySelector<HTMLElement>("form :is(input:not([readonly]), select, textarea)");
  field?.focus();
  if (field instanceof HTMLInputElement) field.select();
}

export function Dialog({ isOpen, onClose, title, placement = "center", isBusy = false, children }: Props) {
  const t = useTranslations("dialog");
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Runs before the effects of the content, which may move the focus from the first button.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (isOpen && dialog && !dialog.open) {
      dialog.showModal();
      if (placement === "center") focusFirstField(dialog);
    }
    if (!isOpen) dialog?.close();
  }, [isOpen, placement]);
  /** Esc closes through our state: the browser reports a close one frame later, when the dialog may be open again. */
  function onCancel(event: SyntheticEvent) {
    event.preventDefault();
    if (!isBusy) onClose();
  }
  /** The browser closed the dialog. The late event after our own close is ignored. */
  const onClosed = () => {
    if (isOpen && !element.current?.open) onClose();
  };
  /** The dialog has no padding, so a click on the element itself was on the backdrop. */
  const onBackdrop = ({ target }: MouseEvent) => {
    if (target === element.current && !isBusy) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc and the button do the same from the keyboard.
    <dialog
      ref={element}
      aria-labelledby={titleId}
      className={classes.dialog}
      data-placement={placement}
      onClick={onBackdrop}
      onCancel={onCancel}
      onClose={onClosed}
    >
      {isOpen && (
        <div className={classes.body}>
          <div className={classes.head}>
            <h2 id={titleId} className={classes.title}>
              {title}
            </h2>
            <CloseButton aria-label={t("close")} disabled={isBusy} onClick={onClose} />
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}
