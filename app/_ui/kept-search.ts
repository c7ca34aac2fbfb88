// Keeps what the reader types into a list's search box while the answer to an earlier search arrives: the answer has
// another address, and the list may be mounted again with it. Otherwise the box follows the address.
// const { box, noteAsked } = useKeptSearch(path, text);
"use client";
import { useLayoutEffect, useRef } from "react";

/** What stood in the search box of the list at this path when it went, and was not asked yet. */
let left: { path: string; text: string } | null = null;

/** For the search box of the list at this path, whose address asks for `text`. Call `noteAsked` with each text asked for. */
export function useKeptSearch(path: string, text: string) {
  const box = useRef<HTMLInputElement>(null);
  const asked = useRef(text);
  useLayoutEffect(() => {
    const input = box.current;
    if (input === null) return;
    if (left?.path === path) {
      input.value = left.text;
      input.focus({ preventScroll: true });
    } else if (asked.current !== text) {
      input.value = text;
    }
    left = null;
    asked.current = text;
    return () => {
      const isTyping = document.activeElement === input && input.value !== asked.current;
      left = isTyping ? { path, text: input.value } : null;
    };
  }, [path, text]);
  return {
    box,
    noteAsked() {
      asked.current = box.current?.value ?? "";
    },
  };
}
