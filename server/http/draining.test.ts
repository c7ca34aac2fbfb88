// The server stops without losing a request: requests that reached it are answered, and idle connections end.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { serverSettings } from "@/test/http";
import { drain } from "./draining";
import { createHttpServer, type HttpServerOptions, listen } from "./server";

let server: Server;
const sockets: Socket[] = [];
beforeEach(() => {
  // Draining concerns the whole process and is final, so each test resets it.
  Reflect.set(Reflect.get(globalThis, Symbol.for("quittance.lifecycle")), "isDraining", false);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Starts a server whose pages answer with `answer`, and returns its port. */
async function start(answer: Answer): Promise<number> {
  const pages: HttpServerOptions["pages"] = async (request, response) => void (await answer(request, response));
  const handler: HttpServerOptions["rest"] = async () => {};
  server = createHttpServer({ rest: handler, hosted: handler, pages, ...serverSettings });
  await listen(server, 0, "127.0.0.1");
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

function open(port: number): { socket: Socket; text: () => string; isClosed: () => boolean } {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  let text = "";
  let isClosed = false;
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    isClosed = true;
  });
  return { socket, text: () => text, isClosed: () => isClosed };
}

const get = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";
/** Waits until the server accepts no more connections. */
const untilNotListening = () => vi.waitFor(() => expect(server.listening).toBe(false), 5_000);

it("a draining server tells busy connections to close, and serves requests that still arrive", async () => {
  let head: (response: ServerResponse) => void = () => {};
  const hasBegun = new Promise<ServerResponse>((resolve) => {
    head = resolve;
  });
  let requests = 0;
  const port = await start((_request, response) => {
    if (++requests > 1) return response.end("second");
    response.write("first ");
    head(response);
    return undefined;
  });
  // Its headers are sent before the server drains, and do not mention closing.
  const { socket, text } = open(port);
  socket.write(get);
  const first = await hasBegun;
  await vi.waitFor(() => expect(text()).toContain("first"));
  const drained = drain(server, 20_000);
  await untilNotListening();
  await sleep(1_500);
  first.end("end");
  await vi.waitFor(() => expect(text()).toContain("end"));
  await sleep(300);
  socket.write(get);
  await vi.waitFor(() => expect(text()).toContain("second"), 5_000);
  expect(text().match(/Connection: close/g)).toHaveLength(1);
  expect(await drained).toBe("finished");
});

it("a draining server tells no client to close before the port is closed, so that none reconnects", async () => {
  const port = await start((_request, response) => response.end("done"));
  const { socket, text } = open(port);
  socket.write(get);
  await vi.waitFor(() => expect(text()).toContain("done"));
  const drained = drain(server, 20_000);
  let wasListening = false;
  socket.once("data", () => {
    wasListening = server.listening;
  });
  socket.write(get);
  await vi.waitFor(() => expect(text().match(/done/g)).toHaveLength(2));
  expect([wasListening, /connection: close/i.test(text())]).toEqual([true, false]);
  await untilNotListening();
  socket.write(get);
  await vi.waitFor(() => expect(text()).toMatch(/connection: close/i));
  expect(await drained).toBe("finished");
});

it("a draining server finishes requests in progress, accepts no connections, and ends idle ones", async () => {
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const port = await start(async (request, response) => {
    if (request.url === "/slow") {
      begun();
      await sleep(1_500);
    }
    response.end("done");
  });
  await (await fetch(`http://127.0.0.1:${port}/`)).text();
  const silent = open(port);
  const running = fetch(`http://127.0.0.1:${port}/slow`);
  await hasBegun;
  const drained = drain(server, 10_000);
  await untilNotListening();
  const late = open(port);
  await vi.waitFor(() => expect(late.isClosed()).toBe(true));
  expect(late.text()).toBe("");
  const answer = await running;
  expect(await answer.text()).toBe("done");
  expect(answer.headers.get("Connection")).toBe("close");
  expect(await drained).toBe("finished");
  await vi.waitFor(() => expect(silent.isClosed()).toBe(true));
});

it("a draining server serves a request that arrived in time, even if it was too busy to read it", async () => {
  const port = await start((_request, response) => response.end("done"));
  const { socket, text } = open(port);
  socket.write(get);
  await vi.waitFor(() => expect(text()).toContain("done"));
  const drained = drain(server, 20_000);
  await untilNotListening();
  await sleep(700);
  socket.write(get);
  const until = performance.now() + 2_000;
  while (performance.now() < until);
  await vi.waitFor(() => expect(text().match(/done/g)).toHaveLength(2), 5_000);
  expect(await drained).toBe("finished");
});

it("a draining server cuts off requests that do not end in time", async () => {
  const port = await start(() => new Promise(() => {}));
  const running = fetch(`http://127.0.0.1:${port}/`).catch(() => "cut");
  await vi.waitFor(() => expect(server.listening).toBe(true));
  await sleep(100);
  expect(await drain(server, 200)).toBe("cut off");
  expect(await running).toBe("cut");
});
