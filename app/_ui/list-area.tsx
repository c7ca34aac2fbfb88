// What the parts of a list share in the browser: navigation that keeps the rows in view, and the selection.
// Row actions: const { selection, clear } = useListArea();
// selection is { ids } or, for all matches, { filters, expectedCount }.
"use client";
import { useRouter } from "next/navigation";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useTransition } from "react";
import { ListAddress } from "./list-address";
import { focusPlace, type ListQuery, listAddress } from "./list-query";
import { type Picked, type Selection, selectedRows, selectionOf } from "./list-selection";
import { PendingBar } from "./pending-bar";
import { useAllViews } from "./saved-views";

interface ListArea {
  query: ListQuery;
  /** Navigates to another address of the list; the current rows stay until the answer arrives. */
  go(address: string): void;
  /** All ids on this page. */
  ids: readonly string[];
  selected: ReadonlySet<string>;
  /** Null if nothing is selected. */
  selection: Selection | null;
  /** The current number of matches; null if it was not counted. */
  total: number | null;
  toggle(id: string): void;
  togglePage(): void;
  selectAll(): void;
  clear(): void;
}

const Context = createContext<ListArea | null>(null);

/** The list that contains the component. */
export function useListArea(): ListArea {
  const area = useContext(Context);
  if (area === null) throw new Error("This component is not inside a list.");
  return area;
}

interface Props {
  query: ListQuery;
  ids: readonly string[];
  total: number | null;
  children: ReactNode;
}

export function ListAreaProvider({ query, ids, total, children }: Props) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const address = listAddress(query);
  const picked = useSelection(address, ids, total, query);
  const area = useMemo(
    () => ({
      ...picked,
      query,
      ids,
      total,
      go: (next: string) => startTransition(() => router.push(next, { scroll: false })),
    }),
    [picked, query, ids, total, router],
  );
  useEffect(() => {
    if (query.highlight === null) return;
    document.querySelector(`[data-row="${CSS.escape(query.highlight)}"]`)?.scrollIntoView({ block: "center" });
  }, [query.highlight]);
  const { all: views } = useAllViews();
  // A removed filter or a saved view takes its own control away.
  useKeptFocus(`${address} ${views.length}`);
  return (
    <Context value={area}>
      <ListAddress path={query.shape.path} address={address} />
      <PendingBar isPending={isPending} />
      {children}
    </Context>
  );
}

/** Whether anything has been focused since the document was loaded. Lists are mounted again with each address. */
let wasFocused = false;

function useKeptFocus(change: string) {
  useEffect(() => {
    const note = () => {
      wasFocused = true;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change may remove what is focused.
  useEffect(() => {
    // A dialog that closes with the change returns its focus first.
    const frame = requestAnimationFrame(() => {
      const isLost = wasFocused && document.activeElement === document.body;
      if (isLost) document.getElementById(focusPlace)?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [change]);
}

const none: ReadonlySet<string> = new Set();

function useSelection(address: string, ids: readonly string[], total: number | null, { filters }: ListQuery) {
  const [picked, setPicked] = useState<Picked>(none);
  // Another page or other filters: the selected rows are no longer visible, so the selection is cleared.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address determines what is shown.
  useEffect(() => setPicked(none), [address]);
  return useMemo(() => {
    const selected = selectedRows(picked, ids);
    return {
      selected,
      selection: selectionOf(picked, { filters, ids, total }),
      toggle(id: string) {
        const next = new Set(selected);
        if (!next.delete(id)) next.add(id);
        setPicked(next);
      },
      togglePage: () => setPicked(ids.every((id) => selected.has(id)) ? none : new Set(ids)),
      selectAll: () => setPicked(total ?? none),
      clear: () => setPicked(none),
    };
  }, [picked, ids, total, filters]);
}
