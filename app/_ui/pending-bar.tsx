// A line at the top of the window while the next page or list is on its way. Links show it themselves; for other
// navigation: <PendingBar isPending={isPending} />
"use client";
// biome-ignore lint/style/noRestrictedImports: not a link, only the status of one.
import { useLinkStatus } from "next/link";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import classes from "./pending-bar.module.css";

/** Quicker answers do not flicker. */
const delayMs = 150;

/** Nothing moves when it appears. Meanwhile the page's main part is `aria-busy`. */
export function PendingBar({ isPending }: { isPending: boolean }) {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (!isPending) return;
    const main = document.querySelector("main");
    const timer = setTimeout(() => {
      main?.setAttribute("aria-busy", "true");
      setIsSlow(true);
    }, delayMs);
    return () => {
      clearTimeout(timer);
      main?.removeAttribute("aria-busy");
      setIsSlow(false);
    };
  }, [isPending]);
  return isSlow ? createPortal(<div className={classes.bar} aria-hidden />, document.body) : null;
}

/** Inside a link, which is pending from the click until its page arrives. */
export const LinkPending = () => <PendingBar isPending={useLinkStatus().pending} />;
