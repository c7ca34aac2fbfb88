// Rows of fields that are added and removed: const { add, remove, addButton } = useFieldRows({ … })
// The focus goes to the first field of an added row, and to the button that adds rows once the pressed one is gone.
"use client";
import { useEffect, useRef } from "react";

interface Options {
  /** The number of rows. */
  count: number;
  /** The id of the first field of the row with an index. */
  firstId(index: number): string;
  insert(): void;
  removeAt(index: number): void;
}

export function useFieldRows({ count, firstId, insert, removeAt }: Options) {
  const addButton = useRef<HTMLButtonElement>(null);
  const change = useRef<"added" | "removed" | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the rows moves the focus.
  useEffect(() => {
    if (change.current === "added") document.getElementById(firstId(count - 1))?.focus();
    if (change.current === "removed") addButton.current?.focus();
    change.current = null;
  }, [count]);
  return {
    add() {
      change.current = "added";
      insert();
    },
    remove(index: number) {
      change.current = "removed";
      removeAt(index);
    },
    addButton,
  };
}
