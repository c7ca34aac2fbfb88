// How long a request keeps its places: until its response is sent or its connection closed, and its work has ended.
import type { IncomingMessage, ServerResponse } from "node:http";
import { limits } from "@/server/kit/limits";

/** Calls `leave` once, when both have ended, with the bytes written meanwhile. */
export class Stay {
  private readonly writtenBefore: number;
  private written: number | null = null;
  private isWorking = true;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    { socket }: IncomingMessage,
    response: ServerResponse,
    private readonly leave: (written: number) => void,
  ) {
    this.writtenBefore = socket.bytesWritten;
    response.once("close", () => this.closed(socket.bytesWritten - this.writtenBefore));
  }

  ended(): void {
    if (!this.isWorking) return;
    this.isWorking = false;
    clearTimeout(this.timer);
    if (this.written !== null) this.leave(this.written);
  }

  private closed(written: number): void {
    this.written = written;
    if (!this.isWorking) this.leave(written);
    // Next may never report that it has stopped.
    else this.timer = setTimeout(() => this.ended(), limits.abandonedWorkMs).unref();
  }
}
