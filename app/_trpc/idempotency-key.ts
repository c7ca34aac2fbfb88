// Idempotency keys of a form: sending the same content again is the same request, other content is another.
"use client";
import { useCallback, useRef } from "react";

const keyBytes = 16;

/** Not `randomUUID`: browsers withhold that on plain http. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(keyBytes));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Gives the key for some content; the same as the last time if the content is. `renew` forgets it. */
export function useIdempotencyKey() {
  const last = useRef<{ content: string; key: string } | null>(null);
  const keyFor = useCallback((input: unknown) => {
    const content = JSON.stringify(input);
    if (last.current?.content !== content) last.current = { content, key: newKey() };
    return last.current.key;
  }, []);
  const renew = useCallback(() => {
    last.current = null;
  }, []);
  return { keyFor, renew };
}
