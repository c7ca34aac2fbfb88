// Adds a row of fields and moves the focus to its first field: const add = useAddedRow(firstId, rows.length, insert)
"use client";
import { useEffect, useRef } from "react";

/** `firstId` is the id of the first field of the row with an index, `count` the number of rows. */
export function useAddedRow(firstId: (index: number) => string, count: number, insert: () => void) {
  const isAdding = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a row that was added gets the focus.
  useEffect(() => {
    if (isAdding.current) document.getElementById(firstId(count - 1))?.focus();
    isAdding.current = false;
  }, [count]);
  return () => {
    isAdding.current = true;
    insert();
  };
}
