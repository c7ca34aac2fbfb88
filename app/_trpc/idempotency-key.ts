// Idempotency keys of a form: sending the same content again is the same request, other content is another.
"use client";
import { TRPCClientError } from "@trpc/client";
import { useCallback, useRef } from "react";

const keyBytes = 16;

/** Not `randomUUID`: browsers withhold that on plain http. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(keyBytes));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Gives the key for some content; the same as the last time if the content is. `renew` forgets it, and so does `answered`
 * after a refusal: that is kept under its key, and the next try may go better.
 */
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
  const answered = useCallback((error: unknown) => {
    if (isRefusal(error)) last.current = null;
  }, []);
  return { keyFor, renew, answered };
}

const refusesBelow = 500;

/** Whether the server has decided: after a lost connection or a fault nobody knows. */
function isRefusal(error: unknown): boolean {
  const status: unknown = error instanceof TRPCClientError ? error.data?.httpStatus : undefined;
  return typeof status === "number" && status < refusesBelow;
}

/**
 * The key of one act that is confirmed, not filled in: the same until the server has decided. A refusal is kept under its
 * key, so the next try needs another; after a lost connection or a fault nobody knows, so it carries the same.
 */
export function useActKey() {
  const last = useRef<string | null>(null);
  const key = useCallback(() => {
    last.current ??= newKey();
    return last.current;
  }, []);
  const answered = useCallback((error: unknown) => {
    if (isRefusal(error)) last.current = null;
  }, []);
  return { key, answered };
}
