// Limits how many connections an address may open, and how much of a response may wait for a slow reader.
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { Places } from "@/server/fairness/places";
import { limits } from "@/server/kit/limits";
import { addressBlock } from "@/server/kit/peer";

interface ConnectionBounds {
  perAddress: number;
  /** Whether the peer is one of our proxies, which many callers share. */
  isProxy: (address: string) => boolean;
  /** Bytes of responses that wait for their readers. */
  unreadBytes: { perAddress: number; inAll: number };
  /** How long a reader may read nothing of a response, in milliseconds. */
  unreadMs: number;
  log: Pick<Logger, "warn">;
}

interface Reader {
  block: string;
  /** Bytes that waited at the last check. */
  unread: number;
  /** Bytes that the system had taken by then. */
  taken: number;
  /** When the reader last took something, or when bytes began to wait. */
  since: number;
}

const sweepMs = 1_000;
const reportMs = 10_000;

/** Counts a server's connections by address block, and cuts those that exceed their limits. */
export class Connections {
  private readonly places: Places;
  private readonly readers = new Map<Socket, Reader>();
  private readonly timer: NodeJS.Timeout;
  private refused = 0;
  private reportedAt = 0;

  constructor(
    server: Server,
    private readonly bounds: ConnectionBounds,
  ) {
    this.places = new Places({ ...limits.connections, perCaller: bounds.perAddress });
    // Node drops further connections before they cost anything.
    server.maxConnections = limits.connections.inAll;
    server.on("connection", (socket) => this.accept(socket));
    this.timer = setInterval(() => this.sweep(), sweepMs).unref();
    server.on("close", () => clearInterval(this.timer));
  }

  /**
   * Call when a response for `address` has been handed to its connection: checks what its reader has not yet taken.
   * Behind a proxy, `address` is the caller's, not the proxy's.
   */
  answered(socket: Socket, address: string | null): void {
    const reader = this.readers.get(socket);
    if (!reader || (socket.writableLength === 0 && reader.unread === 0)) return;
    reader.block = addressBlock(address);
    this.look(socket, reader);
    this.cutBeyond(this.bounds.unreadBytes.perAddress, (each) => each.block === reader.block);
    this.cutBeyond(this.bounds.unreadBytes.inAll, () => true);
  }

  /** Ends each connection that is idle now and still without a request after `graceMs`. */
  endIdle(isIdle: (socket: Socket) => boolean, graceMs: number): void {
    for (const socket of this.readers.keys()) if (isIdle(socket)) socket.setTimeout(graceMs);
  }

  private accept(socket: Socket): void {
    const address = socket.remoteAddress ?? "";
    const block = addressBlock(address);
    const release = this.bounds.isProxy(address) ? () => {} : this.places.take(block);
    if (!release) {
      this.refuse(socket, block);
      return;
    }
    this.readers.set(socket, { block, unread: 0, taken: 0, since: 0 });
    socket.once("close", () => {
      release();
      this.readers.delete(socket);
    });
  }

  private refuse(socket: Socket, block: string): void {
    socket.destroy();
    this.refused++;
    if (Date.now() - this.reportedAt < reportMs) return;
    this.bounds.log.warn({ address: block, refused: this.refused }, "an address has too many connections");
    this.reportedAt = Date.now();
    this.refused = 0;
  }

  private look(socket: Socket, reader: Reader): void {
    const unread = socket.writableLength;
    const taken = socket.bytesWritten - unread;
    if (unread === 0 || reader.unread === 0 || taken !== reader.taken) reader.since = performance.now();
    reader.unread = unread;
    reader.taken = taken;
  }

  private sweep(): void {
    const latest = performance.now() - this.bounds.unreadMs;
    for (const [socket, reader] of this.readers) {
      this.look(socket, reader);
      if (reader.unread > 0 && reader.since < latest) socket.destroy();
    }
    this.cutBeyond(this.bounds.unreadBytes.inAll, () => true);
  }

  /** Cuts off the readers that have waited longest until the unread bytes of the rest are within `most`. */
  private cutBeyond(most: number, belongs: (reader: Reader) => boolean): void {
    if (this.unreadOf(belongs) <= most) return;
    const slow = [...this.readers].filter(([, reader]) => belongs(reader) && reader.unread > 0);
    for (const [socket, reader] of slow) this.look(socket, reader);
    slow.sort(([, a], [, b]) => a.since - b.since);
    let unread = this.unreadOf(belongs);
    for (const [socket, reader] of slow) {
      if (unread <= most) return;
      unread -= reader.unread;
      socket.destroy();
      this.readers.delete(socket);
    }
  }

  private unreadOf(belongs: (reader: Reader) => boolean): number {
    let sum = 0;
    for (const reader of this.readers.values()) if (belongs(reader)) sum += reader.unread;
    return sum;
  }
}
