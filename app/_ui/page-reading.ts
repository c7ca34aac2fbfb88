// Reading the page again once its record has changed: const { isReading, readAgain } = usePageReading();
"use client";
import { useRouter } from "next/navigation";
import { useTransition } from "react";

/**
 * `readAgain` asks the server for the current page. The changes that `show` makes appear together with the answer, and
 * `isReading` is true until then: buttons stay busy, so that nobody uses those of the old page on a slow connection. If
 * the page cannot be read, the browser loads it as a whole.
 */
export function usePageReading() {
  const router = useRouter();
  const [isReading, startReading] = useTransition();
  const readAgain = (show?: () => void) =>
    startReading(() => {
      router.refresh();
      show?.();
    });
  return { isReading, readAgain };
}
