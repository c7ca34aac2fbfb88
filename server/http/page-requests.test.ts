// A page's work keeps its turns to the end, even if its caller disconnects.
import type { Server } from "node:http";
import { connect } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { type RequestNotes, requestUnderWay } from "@/server/kit/request-notes";
import { declareOwnServer } from "@/server/process/lifecycle";
import { serverSettings } from "@/test/http";
import { createHttpServer, listen } from "./server";

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it("a page keeps its request's notes after the caller disconnects, until its work ends", async () => {
  declareOwnServer();
  const found: (RequestNotes | undefined)[] = [];
  let given = new Headers();
  let end = () => {};
  server = createHttpServer({
    ...serverSettings,
    rest: async () => {},
    hosted: async () => {},
    pages: async ({ headers }, response) => {
      given = new Headers(headers as Record<string, string>);
      found.push(requestUnderWay(given));
      await new Promise((resolve) => response.once("close", resolve));
      await new Promise(setImmediate);
      found.push(requestUnderWay(given));
      await new Promise<void>((resolve) => {
        end = resolve;
      });
    },
  });
  await listen(server, 0, "127.0.0.1");
  const address = server.address();
  const socket = connect(typeof address === "object" && address ? address.port : 0, "127.0.0.1");
  socket.write("GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
  await vi.waitFor(() => expect(found).toHaveLength(1));
  socket.destroy();
  await vi.waitFor(() => expect(found).toHaveLength(2));
  expect(found[0]).toBeDefined();
  expect(found[1]).toBe(found[0]);
  end();
  await vi.waitFor(() => expect(requestUnderWay(given)).toBeUndefined());
});
