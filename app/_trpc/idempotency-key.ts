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
 * `answered` after a refusal that the server stores under its key: another try may succeed.
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
    if (isDecided(error)) last.current = null;
  }, []);
  return { keyFor, renew, answered };
}

/** The statuses of refusals that the server does not store under the key: they say nothing about an earlier try. */
const undecided = [401, 409, 429];
const refusesBelow = 500;
const isStored = (code: string): boolean => !code.startsWith("invalid_") && code !== "reauthentication_required";

/**
 * Whether the server has decided about the request. After a lost connection, an internal error or a refusal that is not
 * stored, an earlier try may still have an effect.
 */
export function isDecided(error: unknown): boolean {
  const { httpStatus: status, error_code: code } = error instanceof TRPCClientError ? (error.data ?? {}) : {};
  if (typeof status !== "number" || undecided.includes(status)) return false;
  return status < refusesBelow && isStored(String(code));
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
    if (isDecided(error)) last.current = null;
  }, []);
  return { key, answered };
}
