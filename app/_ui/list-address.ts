// The address under which each list was last seen in this tab, so that the way back leads to the same place in it.
"use client";
import { useEffect } from "react";

const last = new Map<string, string>();

/** Renders nothing; remembers where in the list at `path` one is. */
export function ListAddress({ path, address }: { path: string; address: string }) {
  useEffect(() => {
    last.set(path, address);
  }, [path, address]);
  return null;
}

/** Where in the list one was, with the record's row marked. */
export function addressInList(path: string, id: string | undefined): string {
  const address = last.get(path) ?? path;
  if (id === undefined) return address;
  return `${address}${address.includes("?") ? "&" : "?"}highlight=${encodeURIComponent(id)}`;
}
