// The address under which this tab last showed each list, so that back links return to the same place.
"use client";
import { useEffect } from "react";

const last = new Map<string, string>();

/** Renders nothing; remembers the address of the list at `path`. */
export function ListAddress({ path, address }: { path: string; address: string }) {
  useEffect(() => {
    last.set(path, address);
  }, [path, address]);
  return null;
}

/** The remembered address of the list, with the record's row marked. */
export function addressInList(path: string, id: string | undefined): string {
  const address = last.get(path) ?? path;
  if (id === undefined) return address;
  return `${address}${address.includes("?") ? "&" : "?"}highlight=${encodeURIComponent(id)}`;
}
