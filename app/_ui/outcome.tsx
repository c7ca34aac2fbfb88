// The outcome of an action: one line above the page, announced by screen readers. Navigating away removes it.
// const { announce, refuse } = useOutcome();
// onSuccess: () => readAgain(() => announce(t("done"), button)), onError: refuse
// onSuccess: () => { announceNext(t("saved")); router.push(list); }
"use client";

import { usePathname } from "next/navigation";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import classes from "./outcome.module.css";
import { Refusal } from "./refusal";

interface Outcome {
  /**
   * Announces what was done. If `from`, the control that did it, then disappears, the focus moves to the next row. The
   * tone is `warning` if something has yet to happen for the action to take effect.
   */
  announce(text: string, from: HTMLElement | null, tone?: DoneTone): void;
  /** Announces what was done on the page to which the reader goes next, and takes the focus there. */
  announceNext(text: string): void;
  /** Says why it was not done, and takes the focus. */
  refuse(error: unknown): void;
}

const Context = createContext<Outcome | null>(null);

export function useOutcome(): Outcome {
  const outcome = useContext(Context);
  if (outcome === null) throw new Error("There is no OutcomeArea around this component.");
  return outcome;
}

/** How an action ended that was not refused. */
export type DoneTone = "done" | "warning";

interface Line {
  content: ReactNode;
  tone: DoneTone | "problem";
  /** Whether the line takes the focus. */
  isFocused: boolean;
}

export function OutcomeArea({ children }: { children: ReactNode }) {
  const path = usePathname();
  const element = useRef<HTMLParagraphElement>(null);
  const stopWatching = useRef(() => {});
  const next = useRef<string | null>(null);
  const count = useRef(0);
  const [line, setLine] = useState<Line | null>(null);
  const outcome = useMemo((): Outcome => {
    function show(content: ReactNode, tone: Line["tone"]) {
      stopWatching.current();
      count.current += 1;
      // A new element each time, so that a screen reader announces the same words again.
      setLine({ content: <span key={count.current}>{content}</span>, tone, isFocused: tone === "problem" });
    }
    return {
      announce(text, from, tone = "done") {
        show(text, tone);
        if (from) stopWatching.current = moveFocusAfter(from, () => element.current?.focus());
      },
      announceNext(text) {
        next.current = text;
      },
      refuse: (error) => show(<Refusal error={error} />, "problem"),
    };
  }, []);
  useEffect(() => {
    if (line?.isFocused) element.current?.focus();
  }, [line]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address clears the outcome, or shows that of the previous page.
  useEffect(() => {
    setLine(next.current === null ? null : { content: next.current, tone: "done", isFocused: true });
    next.current = null;
    return () => stopWatching.current();
  }, [path]);
  return (
    <Context value={outcome}>
      <p ref={element} role="status" tabIndex={-1} className={classes.outcome} data-tone={line?.tone}>
        {line?.content}
      </p>
      {children}
    </Context>
  );
}

/**
 * If removing `from` loses the focus, moves it to a control of the row that took its place, or of the last
 * row; calls `otherwise` if there is none. Returns a function that stops watching.
 */
function moveFocusAfter(from: HTMLElement, otherwise: () => void): () => void {
  const row = from.closest("li, tr");
  const rows = row?.parentElement?.children;
  const position = row && rows ? Array.from(rows).indexOf(row) : -1;
  const observer = new MutationObserver(() => {
    if (from.isConnected) return;
    observer.disconnect();
    const focused = document.activeElement;
    // The browser takes the focus from what was hidden only a moment later.
    if (focused !== null && focused !== document.body && focused.checkVisibility()) return;
    const next = rows?.[Math.min(position, rows.length - 1)];
    const control = next?.querySelector<HTMLElement>("button:enabled") ?? next?.querySelector<HTMLElement>("a[href]");
    if (control?.isConnected) control.focus();
    else otherwise();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}
