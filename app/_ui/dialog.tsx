// A modal dialog on the browser's own element, which keeps the focus inside, closes on Esc and gives the focus back.
// <Dialog isOpen={isOpen} onClose={close} title={t("title")}>…</Dialog>; `placement="side"` is a drawer, a bottom sheet on phones.
// Fields in it use NativeSelect: what Mantine draws elsewhere on the page would lie behind it.
"use client";
import { CloseButton } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type MouseEvent, type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from "react";
import classes from "./dialog.module.css";

interface Props {
  isOpen: boolean;
  onClose(): void;
  title: string;
  /** `side` stands at the end of the window and `start` at its beginning. */
  placement?: "center" | "side" | "start";
  /** While something is under way that Esc must not leave. */
  isBusy?: boolean;
  /** The content is there only while the dialog is open: what was typed does not stay. */
  children: ReactNode;
}

export function Dialog({ isOpen, onClose, title, placement = "center", isBusy = false, children }: Props) {
  const t = useTranslations("dialog");
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Before the effects of the content, which may want the focus that the browser gives to the first button.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (isOpen && !dialog?.open) dialog?.showModal();
    if (!isOpen) dialog?.close();
  }, [isOpen]);
  /** Esc closes through our state: the browser reports its own close one frame later, when the dialog may be open again. */
  function onCancel(event: SyntheticEvent) {
    event.preventDefault();
    if (!isBusy) onClose();
  }
  /** For when the browser closes the dialog by itself. After a close of ours, the late event is ignored. */
  const onClosed = () => {
    if (isOpen && !element.current?.open) onClose();
  };
  /** The dialog has no padding of its own: what hits it and nothing in it was its backdrop. */
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
