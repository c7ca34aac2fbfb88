// One request and its answer: when the caller's turn is waited for.
import { expect, it, vi } from "vitest";
import { ownTurns } from "@/server/fairness/turns";
import { newNotes } from "@/server/kit/request-notes";
import type { Runtime } from "@/server/process/runtime";
import { exchange, type Face, type HttpRequest } from "./exchange";

async function* body() {
  yield new Uint8Array(1);
}

/** How often the turn was waited for before the face was asked. */
async function turnsBefore(method: string, hasBody: boolean): Promise<number> {
  const turn = vi.fn(() => null);
  let turns = 0;
  const face: Face = {
    answer: async () => {
      turns = turn.mock.calls.length;
      return { status: 200, headers: {}, body: null };
    },
    refuse: ({ status }) => ({ status, headers: {}, body: null }),
  };
  const request: HttpRequest = {
    ...{ method, url: "/", headers: new Headers(), peerAddress: null, notes: newNotes({ ...ownTurns, first: turn }) },
    ...{ body: hasBody ? body() : null, signal: new AbortController().signal },
  };
  await exchange(face, request, {} as Runtime);
  return turns;
}

it("waits for the caller's turn before work begins, unless a body is read first", async () => {
  expect(await turnsBefore("GET", false)).toBe(1);
  expect(await turnsBefore("POST", false)).toBe(1);
  expect(await turnsBefore("POST", true)).toBe(0);
});

it.each(["GET", "HEAD"])("lets a body that nobody reads pass no %s by its turn", async (method) => {
  expect(await turnsBefore(method, true)).toBe(1);
});
