// How long a request keeps its places: until its response and its work have ended, and no longer than allowed.
import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { limits } from "@/server/kit/limits";
import { Stay } from "./stay";

let response: EventEmitter;
let socket: { bytesWritten: number };
let left: number[];
let stay: Stay;
beforeEach(() => {
  vi.useFakeTimers();
  response = new EventEmitter();
  socket = { bytesWritten: 100 };
  left = [];
  const request = { socket } as unknown as IncomingMessage;
  stay = new Stay(request, response as unknown as ServerResponse, (written) => void left.push(written));
});
afterEach(() => vi.useRealTimers());

const close = () => {
  socket.bytesWritten += 7;
  response.emit("close");
  socket.bytesWritten += 1_000;
};

test("places are kept until both have ended, in either order, and released once", () => {
  close();
  expect(left).toEqual([]);
  stay.ended();
  stay.ended();
  expect(left).toEqual([7]);
});

test("work that ends first waits for its response to be sent", () => {
  stay.ended();
  expect(left).toEqual([]);
  close();
  expect(left).toEqual([7]);
});

test("work that never ends keeps its places for a limited time", () => {
  close();
  vi.advanceTimersByTime(limits.abandonedWorkMs - 1);
  expect(left).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(left).toEqual([7]);
  stay.ended();
  expect(left).toEqual([7]);
});
