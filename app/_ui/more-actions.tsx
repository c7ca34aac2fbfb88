// A page's further actions. Where there is room, the first `inSight` of them are beside the page's first action and the
// rest in a menu; on phones all are in the menu. It is over the page, so that opening it moves nothing.
"use client";
import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconChevronDown } from "@tabler/icons-react";
import {
  createContext,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import classes from "./more-actions.module.css";

/** Where all actions are in the menu, as in the style sheet. */
const phones = "(max-width: 30em)";
/** Between the button and its menu, in pixels. */
const gap = 8;
/** Between the menu and the window's edge, in pixels. */
const margin = 16;

interface Props {
  label: string;
  inSight: number;
  children: readonly ReactNode[];
}

export function MoreActions({ label, inSight, children }: Props) {
  const id = useId();
  const { isOpen, open, close, panel, rest, menu, toggle, veil } = useMenu();
  const [isAtWork, setIsAtWork] = useState(false);
  const [isChosen, setIsChosen] = useState(false);
  const isInMenu = (target: EventTarget | null) => isWithin(target, menu.current);
  /** A dialog that the action opens returns the focus to where it was before, which must still be in sight. */
  function onChoose({ target }: MouseEvent) {
    const isFromMenu = isOpen && isInMenu(target);
    setIsChosen(isFromMenu);
    if (!isFromMenu) return;
    close();
    toggle.current?.focus();
  }
  function onToggleKey(event: KeyboardEvent) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    open(event.key === "ArrowDown" ? "first" : "last");
  }
  function onBlur({ relatedTarget }: FocusEvent) {
    if (relatedTarget !== null && relatedTarget !== toggle.current && !isInMenu(relatedTarget)) close();
  }
  const rests = children.slice(inSight);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only sees where the focus goes.
    <div className={classes.more} onBlur={onBlur} data-crowded={rests.length > 0 || undefined}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its buttons and links react to keys as well. */}
      <div
        ref={panel}
        id={id}
        className={menu === panel ? `${classes.panel} ${classes.lines}` : classes.panel}
        data-open={isOpen || undefined}
        onClick={onChoose}
        onKeyDown={(event) => isOpen && moveByKey(event, actionsIn(menu.current))}
      >
        <MenuWork value={setIsAtWork}>
          {children.slice(0, inSight)}
          <div ref={rest} className={`${classes.rest} ${classes.lines}`}>
            {rests}
          </div>
        </MenuWork>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Escape closes it too. */}
      {isOpen && <div ref={veil} className={classes.veil} data-veil onClick={close} />}
      <Button
        ref={toggle}
        variant="default"
        className={classes.toggle}
        loading={isAtWork && isChosen}
        aria-expanded={isOpen}
        aria-controls={id}
        rightSection={<IconChevronDown size={16} aria-hidden />}
        onClick={() => (isOpen ? close() : open("first"))}
        onKeyDown={onToggleKey}
      >
        {label}
      </Button>
    </div>
  );
}

const MenuWork = createContext<(isAtWork: boolean) => void>(() => undefined);

/** Shows on the menu's button that an action without a dialog is under way: choosing it has closed the menu. */
export function useMenuWork(isAtWork: boolean): void {
  const show = useContext(MenuWork);
  useEffect(() => show(isAtWork), [show, isAtWork]);
}

/** Which of its actions an opened menu focuses. */
type End = "first" | "last";

/** Whether the menu is open, and its elements. What closes it from outside is handled here. */
function useMenu() {
  const [opened, setOpened] = useState<End | null>(null);
  const panel = useRef<HTMLDivElement>(null);
  const rest = useRef<HTMLDivElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const veil = useRef<HTMLDivElement>(null);
  /** What the button opens: all further actions on phones, otherwise the rest of them. */
  const menu = useMediaQuery(phones) ? panel : rest;
  useEffect(() => {
    if (opened === null) return;
    const place = () => placeBelow(rest.current, toggle.current);
    place();
    actionsIn(menu.current)
      .at(opened === "first" ? 0 : -1)
      ?.focus();
    /** The veil stays until the click: otherwise, a tap's click would go to what is behind it. */
    const onPress = ({ target }: PointerEvent) => {
      const inside = [menu.current, toggle.current, veil.current];
      if (!inside.some((element) => isWithin(target, element))) setOpened(null);
    };
    /** Wherever the focus is. */
    const onEscape = ({ key }: { key: string }) => {
      if (key !== "Escape") return;
      setOpened(null);
      toggle.current?.focus();
    };
    document.addEventListener("pointerdown", onPress);
    document.addEventListener("keydown", onEscape);
    window.addEventListener("resize", place);
    return () => {
      document.removeEventListener("pointerdown", onPress);
      document.removeEventListener("keydown", onEscape);
      window.removeEventListener("resize", place);
    };
  }, [opened, menu]);
  const close = () => setOpened(null);
  return { isOpen: opened !== null, open: setOpened, close, panel, rest, menu, toggle, veil };
}

/** The menu ends where its button does, unless it would then begin outside the window. */
function placeBelow(menu: HTMLElement | null, button: HTMLElement | null): void {
  const around = menu?.offsetParent;
  if (!menu || !button || !around) return;
  const [{ right, bottom }, origin] = [button.getBoundingClientRect(), around.getBoundingClientRect()];
  menu.style.insetInlineStart = `${Math.max(right - menu.offsetWidth, margin) - origin.left}px`;
  menu.style.insetBlockStart = `${bottom + gap - origin.top}px`;
}

const isWithin = (target: EventTarget | null, element: HTMLElement | null): boolean =>
  target instanceof Node && element !== null && element.contains(target);

/** The menu's actions, without the contents of their dialogs. */
const actionsIn = (menu: HTMLElement | null): HTMLElement[] =>
  Array.from(menu?.querySelectorAll<HTMLElement>("button, a") ?? []).filter((action) => !action.closest("dialog"));

/** The arrow keys, Home and End move the focus within the menu. */
function moveByKey(event: KeyboardEvent, actions: readonly HTMLElement[]): void {
  const from = actions.indexOf(document.activeElement as HTMLElement);
  const last = actions.length - 1;
  const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: last }[event.key];
  if (to === undefined || from < 0) return;
  event.preventDefault();
  actions[(to + actions.length) % actions.length]?.focus();
}
