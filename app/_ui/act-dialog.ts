// The state of a dialog that acts on the record of its page: const { isOpen, open, close, isBusy, onBusy } = useActDialog();
"use client";
import { useRouter } from "next/navigation";
import { type MouseEvent, useRef, useState } from "react";
import { useOutcome } from "./outcome";

/**
 * Once something was tried, closing the dialog reads the page again: either it was done, or it may have been refused
 * because the page was out of date.
 */
export function useActDialog() {
  const router = useRouter();
  const { announce } = useOutcome();
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const opener = useRef<HTMLElement>(null);
  const wasTried = useRef(false);

  function open(event: MouseEvent<HTMLElement>) {
    opener.current = event.currentTarget;
    setIsOpen(true);
  }

  /** `done` tells what was done; `refresh: false` where the reader is led to another page. */
  function close({ done, refresh = true }: { done?: string; refresh?: boolean } = {}) {
    setIsOpen(false);
    if (done !== undefined) announce(done, opener.current);
    if (wasTried.current && refresh) router.refresh();
    wasTried.current = false;
  }

  function onBusy(busy: boolean) {
    if (busy) wasTried.current = true;
    setIsBusy(busy);
  }

  return { isOpen, open, close, isBusy, onBusy };
}
