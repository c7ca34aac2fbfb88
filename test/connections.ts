// Connections to an HTTP server, byte by byte, from several addresses of this machine.
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, vi } from "vitest";
import { createHttpServer, type HttpServerOptions, listen } from "@/server/http/server";
import type { Actor } from "@/server/kit/context";
import { serverSettings } from "@/test/http";

/** Addresses of this machine, each with its own limits. */
export const [firstAddress, secondAddress, thirdAddress] = ["127.0.0.1", "127.0.0.2", "127.0.0.3"];
/** A request without a credential. */
export const get = "GET /v1/x HTTP/1.1\r\nHost: a\r\n\r\n";
/** A request with this access token. */
export const as = (token: string) => `GET /v1/x HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`;

let server: Server;
const opened: Client[] = [];

afterEach(() => {
  for (const { socket } of opened.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

/** Starts a server, which ends with the test. */
export async function start(options: Partial<HttpServerOptions> = {}): Promise<void> {
  const handler: HttpServerOptions["rest"] = async (_request, response) => void response.end("answer");
  const pages: HttpServerOptions["pages"] = async (_request, response) => void response.end("page");
  server = createHttpServer({ rest: handler, hosted: handler, pages, ...serverSettings, ...options });
  await listen(server, 0, "0.0.0.0");
}

interface Client {
  socket: Socket;
  text: () => string;
  closed: () => boolean;
}

/** Opens a connection from the address and sends the bytes. */
export function send(bytes: string, from: string = firstAddress): Client {
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const socket = connect({ port, host: firstAddress, localAddress: from });
  let text = "";
  let closed = false;
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    closed = true;
  });
  socket.write(bytes);
  const client = { socket, text: () => text, closed: () => closed };
  opened.push(client);
  return client;
}

/** The statuses of all responses so far. */
export const statusesOf = ({ text }: Client) =>
  [...text().matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
/** Waits for these statuses. Looks often, because some tests wait for a hundred responses, one after the other. */
export const untilStatuses = (client: Client, statuses: number[]) =>
  vi.waitFor(() => expect(statusesOf(client)).toEqual(statuses), { timeout: 10_000, interval: 5 });

/** A member with this id. */
export const actorOf = (userId: string): Actor => ({
  type: "user",
  organizationId: "org_1",
  role: "member",
  sessionKind: "api",
  authenticatedAt: 0,
  userId,
  sessionId: "ses_1",
});

/** A handler that uses the token as the user's name, where the pipeline would look the token up. */
export const identifying =
  (answer: (name: string) => Promise<string>): HttpServerOptions["rest"] =>
  async (request, response, { notes }) => {
    const name = request.headers.authorization?.slice(7) ?? "";
    notes.actor = actorOf(`usr_${name}`);
    notes.callerKey = `usr_${name}`;
    response.end(await answer(name));
  };
