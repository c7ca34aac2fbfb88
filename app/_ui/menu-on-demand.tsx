// A menu whose code loads when it is first opened. The button is rendered before that by MenuOnDemand, then by the menu:
// const { target, state } = useOpening(); <Menu {...state}><Menu.Target>{button({ ref: target })}</Menu.Target>…
"use client";
import { type ComponentProps, type ReactElement, type ReactNode, Suspense, useEffect, useRef, useState } from "react";

/** Renders the menu's button with these properties. */
export type RenderButton = (props: ComponentProps<"button">) => ReactElement;

interface Props {
  button: RenderButton;
  /** Loads the menu's code, so that it is there when the button is pressed. */
  load(): Promise<unknown>;
  /** What it is for assistive technology. */
  kind?: "menu" | "dialog";
  /** The menu, which opens at once. */
  children: ReactNode;
}

export function MenuOnDemand({ button, load, kind = "menu", children }: Props) {
  const [wasOpened, setWasOpened] = useState(false);
  const unopened = button({
    "aria-haspopup": kind,
    "aria-expanded": wasOpened,
    onPointerEnter: () => void load().catch(() => {}),
    onClick: () => setWasOpened(true),
  });
  return wasOpened ? <Suspense fallback={unopened}>{children}</Suspense> : unopened;
}

/** Opens the menu once it is there. Its button has the focus then, so that closing the menu returns the focus to it. */
export function useOpening() {
  const target = useRef<HTMLButtonElement>(null);
  const [opened, onChange] = useState(false);
  useEffect(() => {
    target.current?.focus();
    onChange(true);
  }, []);
  return { target, state: { opened, onChange } };
}
