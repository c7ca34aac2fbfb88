// A row of tabs that scrolls sideways where it has no room, with the selected tab in sight.
"use client";
import { type ReactNode, useEffect, useRef } from "react";
import classes from "./tab-links.module.css";

/** `current` is the address of the selected tab. */
export function TabRow({
  label,
  current,
  children,
}: {
  label: string;
  current: string | undefined;
  children: ReactNode;
}) {
  const row = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab may be out of sight.
  useEffect(() => {
    const tab = row.current?.querySelector("[aria-current]")?.getBoundingClientRect();
    const seen = row.current?.getBoundingClientRect();
    if (!row.current || !tab || !seen) return;
    if (tab.left < seen.left) row.current.scrollLeft -= Math.ceil(seen.left - tab.left);
    else if (tab.right > seen.right) row.current.scrollLeft += Math.ceil(tab.right - seen.right);
  }, [current]);
  return (
    <nav ref={row} aria-label={label} className={classes.tabs}>
      {children}
    </nav>
  );
}
