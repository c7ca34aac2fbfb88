// Downloads over HTTP: generated no faster than read, stopped when the reader leaves, cut off if they cannot finish.
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { Download } from "@/server/kit/download";
import { arrivalFrom } from "@/test/http";
import type { HttpReply, HttpRequest } from "./exchange";
import { listenerOf } from "./node-http";

const answer = vi.fn<(request: HttpRequest) => Promise<HttpReply>>();

let server: Server;
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  released.mockReset();
});

const released = vi.fn();

/** Serves the chunks and requests them; resolves once the response headers arrive. */
async function download(chunks: AsyncGenerator<string>, method = "GET"): Promise<IncomingMessage> {
  const file = new Download({ contentType: "text/plain", fileName: "file.txt" }, chunks, released);
  answer.mockImplementation(async () => ({ status: 200, headers: {}, body: null, download: file }));
  server = createServer((incoming, response) => void listenerOf(answer)(incoming, response, arrivalFrom(null)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const sent = request({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", method }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return response;
}

/** Chunks that count how many were made, and whether the generator was closed. */
function counted(total: number, chunk: string, failAt = Number.POSITIVE_INFINITY) {
  const state = { made: 0, hasEnded: false };
  async function* chunks() {
    try {
      while (state.made < total) {
        if (state.made === failAt) throw new Error("no further");
        state.made++;
        yield chunk;
        await sleep(0);
      }
    } finally {
      state.hasEnded = true;
    }
  }
  return { state, chunks: chunks() };
}

const megabyte = "x".repeat(2 ** 20);

test("all chunks arrive in order", async () => {
  const { chunks } = counted(3, "öne\n");
  expect(await text(await download(chunks))).toBe("öne\n".repeat(3));
});

test("HEAD gets the headers, and no chunk is made", async () => {
  const { state, chunks } = counted(3, megabyte);
  expect(await text(await download(chunks, "HEAD"))).toBe("");
  expect(state.made).toBe(0);
  expect(released).toHaveBeenCalled();
});

test("a reader that pauses makes the writer wait; one that leaves stops it", async () => {
  const { state, chunks } = counted(500, megabyte);
  const response = await download(chunks);
  response.pause();
  await sleep(300);
  const whilePaused = state.made;
  expect(whilePaused).toBeLessThan(50);
  await sleep(200);
  expect(state.made).toBe(whilePaused);
  expect(state.hasEnded).toBe(false);
  response.destroy();
  await vi.waitFor(() => expect(state.hasEnded).toBe(true));
  expect(state.made).toBeLessThan(60);
});

test("the signal fires when the reader leaves, also if read later", async () => {
  const { chunks } = counted(500, megabyte);
  const response = await download(chunks);
  const [seen] = answer.mock.lastCall as [HttpRequest];
  response.destroy();
  await vi.waitFor(() => expect(seen.signal.aborted).toBe(true));
});

test("a failure in the middle cuts the connection", async () => {
  const { chunks } = counted(5, "part\n", 3);
  const response = await download(chunks);
  await expect(text(response)).rejects.toThrow(/aborted/);
  expect(response.complete).toBe(false);
});
