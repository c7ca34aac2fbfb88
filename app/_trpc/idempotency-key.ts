// Idempotency keys of forms: sending the same content again repeats the API request, other content makes a new one.
"use client";
import { TRPCClientError } from "@trpc/client";
import { useCallback, useRef } from "react";

const keyBytes = 16;

/** Not `randomUUID`: browsers lack it on plain http. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(keyBytes));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Returns the key for some content: the same as before if the content is the same. `renew` discards it, and so does
 * `answered` after a refusal: the server stores a refusal under its key, and another try may succeed.
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

/** Whether the server has decided: after a lost connection or an internal error the outcome is unknown. */
function isRefusal(error: unknown): boolean {
  const status: unknown = error instanceof TRPCClientError ? error.data?.httpStatus : undefined;
  return typeof status === "number" && status < refusesBelow;
}

/**
 * The key of a confirmed action: the same until the server has decided. The server stores a refusal under its key, so
 * the next try needs another; after a lost connection or an internal error the outcome is unknown, so it uses the same
 * one.
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
