// The state of a dialog that acts on the page's record: const { isOpen, open, close, isBusy, onBusy } = useActDialog();
"use client";
import { type MouseEvent, useRef, useState } from "react";
import { type DoneTone, useOutcome } from "./outcome";
import { usePageReading } from "./page-reading";

/**
 * Closing the dialog after an attempt reloads the page: the action was done, or it was refused because the page was out
 * of date, or its answer was lost. The dialog stays busy until the new page arrives, so that nobody sees the buttons of
 * the old one.
 */
export function useActDialog() {
  const { announce } = useOutcome();
  const { isReading, readAgain } = usePageReading();
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const opener = useRef<HTMLElement>(null);
  const wasTried = useRef(false);

  function open(event: MouseEvent<HTMLElement>) {
    opener.current = event.currentTarget;
    setIsOpen(true);
  }

  /** `done` says what was done, in its tone; `refresh: false` where the reader goes to another page. */
  function close({ done, tone, refresh = true }: { done?: string; tone?: DoneTone; refresh?: boolean } = {}) {
    const readsAgain = wasTried.current && refresh;
    wasTried.current = false;
    const show = () => {
      setIsOpen(false);
      if (done !== undefined) announce(done, opener.current, tone);
    };
    if (readsAgain) readAgain(show);
    else show();
  }

  function onBusy(busy: boolean) {
    if (busy) wasTried.current = true;
    setIsBusy(busy);
  }

  return { isOpen, open, close, isBusy: isBusy || isReading, onBusy };
}
