// The state of a dialog that acts on the page's record: const { isOpen, open, close, isBusy, onBusy } = useActDialog();
"use client";
import { useRouter } from "next/navigation";
import { type MouseEvent, useRef, useState, useTransition } from "react";
import { useOutcome } from "./outcome";

/**
 * Closing the dialog after any attempt reloads the page: either the action was done, or it may have been refused
 * because the page was out of date. After a success the dialog stays busy until the new page arrives, so that nobody
 * sees the buttons of the old one.
 */
export function useActDialog() {
  const router = useRouter();
  const { announce } = useOutcome();
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const opener = useRef<HTMLElement>(null);
  const wasTried = useRef(false);
  const [isReading, startReading] = useTransition();

  function open(event: MouseEvent<HTMLElement>) {
    opener.current = event.currentTarget;
    setIsOpen(true);
  }

  /** `done` says what was done; `refresh: false` where the reader goes to another page. */
  function close({ done, refresh = true }: { done?: string; refresh?: boolean } = {}) {
    const readsAgain = wasTried.current && refresh;
    wasTried.current = false;
    if (done === undefined) {
      setIsOpen(false);
      if (readsAgain) router.refresh();
      return;
    }
    startReading(() => {
      if (readsAgain) router.refresh();
      setIsOpen(false);
      announce(done, opener.current);
    });
  }

  function onBusy(busy: boolean) {
    if (busy) wasTried.current = true;
    setIsBusy(busy);
  }

  return { isOpen, open, close, isBusy: isBusy || isReading, onBusy };
}
