// Keeps what the reader types into a list's search box while the answer to an earlier search arrives: the answer has
// another address, and the list may be mounted again with it. Otherwise the box follows the address.
// const { box, noteSubmit } = useKeptSearch(path, text);
"use client";
import { useLayoutEffect, useRef } from "react";

/** Text that the reader was typing into the search box of the list at this path when the box was unmounted. */
let unfinished: { path: string; text: string } | null = null;

/** For the search box of the list at this path. `text` is what the address searches for. Submitting calls `noteSubmit`. */
export function useKeptSearch(path: string, text: string) {
  const box = useRef<HTMLInputElement>(null);
  const submitted = useRef(text);
  useLayoutEffect(() => {
    const input = box.current;
    if (input === null) return;
    if (unfinished?.path === path) {
      input.value = unfinished.text;
      input.focus({ preventScroll: true });
    } else if (submitted.current !== text) {
      input.value = text;
    }
    unfinished = null;
    submitted.current = text;
    return () => {
      const isTyping = document.activeElement === input && input.value !== submitted.current;
      unfinished = isTyping ? { path, text: input.value } : null;
    };
  }, [path, text]);
  return {
    box,
    noteSubmit() {
      submitted.current = box.current?.value ?? "";
    },
  };
}
