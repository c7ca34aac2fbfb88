// One request and its response: when it waits for the caller's turn.
import { expect, it, vi } from "vitest";
import { ownTurns } from "@/server/fairness/turns";
import { newNotes } from "@/server/kit/request-notes";
import type { Runtime } from "@/server/process/runtime";
import { exchange, type Handler, type HttpRequest } from "./exchange";

async function* body() {
  yield new Uint8Array(1);
}

/** How often a turn was awaited before the handler ran. */
async function turnsBefore(method: string, hasBody: boolean): Promise<number> {
  const turn = vi.fn(() => null);
  let turns = 0;
  const handler: Handler = {
    answer: async () => {
      turns = turn.mock.calls.length;
      return { status: 200, headers: {}, body: null };
    },
    refuse: ({ status }) => ({ status, headers: {}, body: null }),
  };
  const request: HttpRequest = {
    method,
    url: "/",
    headers: new Headers(),
    peerAddress: null,
    notes: newNotes({ ...ownTurns, first: turn }),
    body: hasBody ? body() : null,
    signal: new AbortController().signal,
  };
  await exchange(handler, request, {} as Runtime);
  return turns;
}

it("a request waits for the caller's turn before its work begins, unless a body is read first", async () => {
  expect(await turnsBefore("GET", false)).toBe(1);
  expect(await turnsBefore("POST", false)).toBe(1);
  expect(await turnsBefore("POST", true)).toBe(0);
});

it.each(["GET", "HEAD"])("a %s request waits for its turn even with a body, which is not read", async (method) => {
  expect(await turnsBefore(method, true)).toBe(1);
});
