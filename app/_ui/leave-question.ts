// Asks before a half-filled form is left: useLeaveQuestion(isOn, () => form.isDirty())
// Links and the Back button ask by themselves. Code that navigates without a link: if (mayLeave()) router.push(…)
"use client";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";

interface Guard {
  isHalfFilled(isUnload: boolean): boolean;
  ask(): boolean;
}

/** The form on the page. */
let guard: Guard | null = null;

/** Whether the page may be left: its form is not half filled, or the reader says so. Asks only once. */
export function mayLeave(): boolean {
  if (!guard?.isHalfFilled(false)) return true;
  if (!guard.ask()) return false;
  guard = null;
  return true;
}

/** What a browser that has the Navigation API says about going back or forward. */
interface NavigateEvent extends Event {
  navigationType: string;
  destination: { url: string };
}

const withoutHash = (url: string): string => url.replace(/#.*/, "");

const leadsAway = (url: string): boolean => withoutHash(url) !== withoutHash(location.href);

/** The address that a click opens in place of this page; null if it opens none, or elsewhere. */
function openedBy(event: MouseEvent): string | null {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (!link?.href || !isPlain || link.hasAttribute("download")) return null;
  // The browser itself asks before it leaves the app.
  const isHere = (link.target === "" || link.target === "_self") && link.origin === location.origin;
  return isHere ? link.href : null;
}

/**
 * `isHalfFilled` is asked when the reader is about to leave, and told whether the browser leaves the app or reloads it;
 * `isOn` says whether the form asks at all.
 */
export function useLeaveQuestion(isOn: boolean, isHalfFilled: (isUnload: boolean) => boolean): void {
  const t = useTranslations("form");
  const latest = useRef({ isHalfFilled, question: "" });
  latest.current = { isHalfFilled, question: t("leave") };
  useEffect(() => {
    if (!isOn) return;
    const own: Guard = {
      isHalfFilled: (isUnload) => latest.current.isHalfFilled(isUnload),
      // Answered at once, unlike a dialog of our own: the navigation waits for nothing else.
      ask: () => window.confirm(latest.current.question),
    };
    guard = own;
    function onUnload(event: Event) {
      if (guard === own && own.isHalfFilled(true)) event.preventDefault();
    }
    function onClick(event: MouseEvent) {
      const url = openedBy(event);
      if (url === null || !leadsAway(url) || mayLeave()) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    }
    function onNavigate(event: Event) {
      const { navigationType, destination, cancelable } = event as NavigateEvent;
      const isBack = navigationType === "traverse" && cancelable;
      if (isBack && leadsAway(destination.url) && !mayLeave()) event.preventDefault();
    }
    const { navigation } = window as { navigation?: EventTarget };
    window.addEventListener("beforeunload", onUnload);
    // Before Next's own handler of the link.
    window.addEventListener("click", onClick, { capture: true });
    navigation?.addEventListener("navigate", onNavigate);
    return () => {
      window.removeEventListener("beforeunload", onUnload);
      window.removeEventListener("click", onClick, { capture: true });
      navigation?.removeEventListener("navigate", onNavigate);
      if (guard === own) guard = null;
    };
  }, [isOn]);
}
