// A page's further actions: beside the first one where there is room, on phones in a panel that a button opens.
// The panel is over the page, so that opening it moves nothing, and stays open while a dialog of its actions is.
"use client";
import { Button } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import classes from "./more-actions.module.css";

export function MoreActions({ label, children }: { label: string; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) return;
    const onPress = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && root.current?.contains(target))) setIsOpen(false);
    };
    document.addEventListener("pointerdown", onPress);
    return () => document.removeEventListener("pointerdown", onPress);
  }, [isOpen]);
  /** Esc in a dialog closes only the dialog. */
  function onKeyDown({ key, target }: KeyboardEvent) {
    if (!isOpen || key !== "Escape" || (target instanceof Element && target.closest("dialog"))) return;
    setIsOpen(false);
    toggle.current?.focus();
  }
  function onBlur({ relatedTarget }: FocusEvent) {
    if (relatedTarget !== null && !root.current?.contains(relatedTarget)) setIsOpen(false);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only sees what its controls let through.
    <div ref={root} className={classes.more} onKeyDown={onKeyDown} onBlur={onBlur}>
      <Button
        ref={toggle}
        variant="default"
        fullWidth
        className={classes.toggle}
        aria-expanded={isOpen}
        aria-controls={id}
        rightSection={<IconChevronDown size={16} aria-hidden />}
        onClick={() => setIsOpen(!isOpen)}
      >
        {label}
      </Button>
      <div id={id} className={classes.panel} data-open={isOpen || undefined} data-more>
        {children}
      </div>
    </div>
  );
}
