// The reader's saved views, which the layout has read: <SavedViews saved={views}>…</SavedViews>, useAllViews()
"use client";
import { usePathname } from "next/navigation";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import type { Outputs } from "../_trpc/server";

export type SavedView = Outputs["views"]["list"]["data"][number];

interface Saved {
  all: readonly SavedView[];
  /** Adds the view, or replaces the one with its id. */
  put(view: SavedView): void;
  drop(id: string): void;
  /** The id of the view of each list that the reader opened last, and has not left since. */
  opened: Map<string, string>;
}

const Context = createContext<Saved | null>(null);

/** `saved` are all views of the reader, as the server has them. */
export function SavedViews({ saved, children }: { saved: readonly SavedView[]; children: ReactNode }) {
  const [all, setAll] = useState(saved);
  useEffect(() => setAll(saved), [saved]);
  const opened = useRef(new Map<string, string>()).current;
  // On a record the reader may come back to the list; on any other page the view is left.
  const [, , section] = usePathname().split("/");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the part of the dashboard decides.
  useEffect(() => opened.clear(), [section]);
  const value = useMemo(
    (): Saved => ({
      all,
      opened,
      put: (view) => setAll((before) => [...before.filter(isOther(view.view_id)), view].toSorted(byName)),
      drop: (id) => setAll((before) => before.filter(isOther(id))),
    }),
    [all, opened],
  );
  return <Context value={value}>{children}</Context>;
}

const isOther = (id: string) => (view: SavedView) => view.view_id !== id;
const byName = (a: SavedView, b: SavedView) => a.name.localeCompare(b.name);

/** All views of the reader. */
export function useAllViews(): Saved {
  const saved = useContext(Context);
  if (saved === null) throw new Error("There is no SavedViews around this component.");
  return saved;
}
