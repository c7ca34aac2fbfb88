// A raw TCP client: sends exactly the given bytes and reads until the server closes.
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A pause in milliseconds, or bytes to send. */
type Step = number | string | Uint8Array;

export type RawAnswer = {
  /** The statuses of all responses, in order. */
  statuses: number[];
  /** Everything received, unparsed. */
  text: string;
  /** Whether the server closed the connection before the timeout. */
  closed: boolean;
};

type RawOptions = {
  /** How long to wait for the server to close. */
  waitMs?: number;
  /** Half-closes our side after the last step. */
  half?: boolean;
};

/** Sends the steps in order and reads until the server closes or the timeout passes. */
export async function converse(url: string, steps: Step[], options: RawOptions = {}): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const chunks: Buffer[] = [];
  let closed = false;
  const ended = new Promise<void>((resolve) => {
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => {});
    socket.on("close", () => {
      closed = true;
      resolve();
    });
    socket.on("end", () => socket.end());
  });
  for (const step of steps) {
    if (closed) break;
    if (typeof step === "number") await sleep(step);
    else await new Promise<void>((resolve) => socket.write(step, () => resolve()));
  }
  if (options.half) socket.end();
  await Promise.race([ended, sleep(options.waitMs ?? 5_000, undefined, { ref: false })]);
  socket.destroy();
  const text = Buffer.concat(chunks).toString("latin1");
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  return { statuses, text, closed };
}

/** The head of an HTTP request with Host; one line per header. */
export function head(url: string, start: string, headers: string[] = []): string {
  return [`${start} HTTP/1.1`, `Host: ${new URL(url).host}`, ...headers, "", ""].join("\r\n");
}

/** A connection that sends these bytes and reads nothing. */
export function openSocket(url: string, bytes: (string | Buffer)[]): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => {});
  socket.pause();
  for (const part of bytes) socket.write(part);
  return socket;
}
