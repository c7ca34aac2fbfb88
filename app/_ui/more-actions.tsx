// A page's further actions. Where there is room, the first `inSight` of them are beside the page's first action and the
// rest in a menu; on phones all are in the menu. It is over the page, so that opening it moves nothing.
"use client";
import { Button } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import classes from "./more-actions.module.css";

interface Props {
  label: string;
  inSight: number;
  children: readonly ReactNode[];
}

export function MoreActions({ label, inSight, children }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const rest = useRef<HTMLDivElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const id = useId();
  const isInMenu = (target: EventTarget | null) => target instanceof Node && menuOf(panel, rest)?.contains(target);
  useEffect(() => {
    if (!isOpen) return;
    actionsIn(menuOf(panel, rest))[0]?.focus();
    const onPress = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && menuOf(panel, rest)?.contains(target))) setIsOpen(false);
    };
    /** Wherever the focus is. */
    const onEscape = ({ key }: { key: string }) => {
      if (key !== "Escape") return;
      setIsOpen(false);
      toggle.current?.focus();
    };
    document.addEventListener("pointerdown", onPress);
    document.addEventListener("keydown", onEscape);
    return () => {
      document.removeEventListener("pointerdown", onPress);
      document.removeEventListener("keydown", onEscape);
    };
  }, [isOpen]);
  /** A dialog that the action opens returns the focus to where it was before, which must still be in sight. */
  function onChoose({ target }: MouseEvent) {
    if (!isOpen || !isInMenu(target)) return;
    setIsOpen(false);
    toggle.current?.focus();
  }
  function onBlur({ relatedTarget }: FocusEvent) {
    if (relatedTarget !== null && relatedTarget !== toggle.current && !isInMenu(relatedTarget)) setIsOpen(false);
  }
  const rests = children.slice(inSight);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only sees where the focus goes.
    <div className={classes.more} onBlur={onBlur} data-crowded={rests.length > 0 || undefined}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its buttons and links react to keys as well. */}
      <div
        ref={panel}
        id={id}
        className={classes.panel}
        data-open={isOpen || undefined}
        onClick={onChoose}
        onKeyDown={(event) => isOpen && moveByArrow(event, actionsIn(menuOf(panel, rest)))}
      >
        {children.slice(0, inSight)}
        <div ref={rest} className={classes.rest}>
          {rests}
        </div>
      </div>
      {isOpen && <div className={classes.veil} data-veil />}
      <Button
        ref={toggle}
        variant="default"
        className={classes.toggle}
        aria-expanded={isOpen}
        aria-controls={id}
        rightSection={<IconChevronDown size={16} aria-hidden />}
        onClick={() => setIsOpen(!isOpen)}
      >
        {label}
      </Button>
    </div>
  );
}

interface Ref {
  current: HTMLElement | null;
}

/** What the button opens: all further actions on phones, otherwise the rest of them. */
const menuOf = (panel: Ref, rest: Ref): HTMLElement | null =>
  panel.current && getComputedStyle(panel.current).display === "contents" ? rest.current : panel.current;

/** The menu's actions, without the contents of their dialogs. */
const actionsIn = (menu: HTMLElement | null): HTMLElement[] =>
  Array.from(menu?.querySelectorAll<HTMLElement>("button, a") ?? []).filter((action) => !action.closest("dialog"));

/** The arrow keys move the focus within the menu. */
function moveByArrow(event: KeyboardEvent, actions: readonly HTMLElement[]): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const from = actions.indexOf(document.activeElement as HTMLElement);
  if (step === undefined || from < 0) return;
  event.preventDefault();
  actions[(from + step + actions.length) % actions.length]?.focus();
}
