// What time it is in the organization, for client components: const now = useNow(); now()
"use client";
import { createContext, type ReactNode, useCallback, useContext } from "react";

const Ahead = createContext(0);

/** How far the organization's time is ahead of real time, in milliseconds; 0 around what happens in real time. */
export function OrganizationTime({ aheadMs, children }: { aheadMs: number; children: ReactNode }) {
  return <Ahead value={aheadMs}>{children}</Ahead>;
}

/** A function that returns the organization's time, in milliseconds since 1970. */
export function useNow(): () => number {
  const aheadMs = useContext(Ahead);
  return useCallback(() => Date.now() + aheadMs, [aheadMs]);
}
