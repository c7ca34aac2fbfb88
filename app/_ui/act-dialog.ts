// The state of a dialog that acts on the record of its page: const { isOpen, open, close, isBusy, onBusy } = useActDialog();
"use client";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";

/**
 * Once something was tried, closing the dialog reads the page again: either it was done, or it may have been refused
 * because the page was out of date.
 */
export function useActDialog() {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const wasTried = useRef(false);

  /** `refresh: false` where the reader is led to another page. */
  function close({ refresh = true } = {}) {
    setIsOpen(false);
    if (wasTried.current && refresh) router.refresh();
    wasTried.current = false;
  }

  function onBusy(busy: boolean) {
    if (busy) wasTried.current = true;
    setIsBusy(busy);
  }

  return { isOpen, open: () => setIsOpen(true), close, isBusy, onBusy };
}
