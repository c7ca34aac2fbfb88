// A response that is a file. It is generated in pieces, so that memory does not grow with its size, and is cut off once
// its caller is no longer allowed to read it.
import * as z from "zod";
import type { ReadContext } from "./context";
import { limits } from "./limits";

interface FileHead {
  contentType: string;
  /** ASCII without quotes. */
  fileName: string;
}

/** A file that is generated while it is sent. Chunks are pulled one at a time, as fast as the receiver reads. */
export class Download {
  readonly chunks: AsyncIterable<string>;
  private readonly cutting = new AbortController();

  constructor(
    readonly file: FileHead,
    pieces: AsyncGenerator<string>,
    private readonly release: () => void,
  ) {
    this.chunks = this.watched(pieces);
  }

  get headers(): Record<string, string> {
    return {
      "Content-Type": this.file.contentType,
      "Content-Disposition": `attachment; filename="${this.file.fileName}"`,
    };
  }

  /** Fires when the file must be cut off although nobody is waiting for its next chunk. */
  get signal(): AbortSignal {
    return this.cutting.signal;
  }

  /** Ends the download, sent or not. The code that receives the download must call this. */
  close(): void {
    this.release();
  }

  /** The pieces. Each must be read within a time limit, so that a stalled reader does not keep resources. */
  private async *watched(pieces: AsyncGenerator<string>): AsyncGenerator<string> {
    const { stalledMs, longestMs } = limits.download;
    const cut = (reason: string) => () => this.cutting.abort(new Error(reason));
    const longest = setTimeout(cut("the download took too long"), longestMs).unref();
    let stalled: NodeJS.Timeout | undefined;
    try {
      for await (const piece of pieces) {
        if (piece === "") continue;
        stalled = setTimeout(cut("the reader stalled"), stalledMs).unref();
        yield piece;
        clearTimeout(stalled);
        this.signal.throwIfAborted();
      }
    } finally {
      clearTimeout(stalled);
      clearTimeout(longest);
      this.release();
    }
  }
}

/**
 * Opens a download that `parts` generates. The first part is generated before the response begins, so that early
 * failures get a proper error, as does a caller with too many downloads (`rate_limited`). Before each further part it
 * checks that the caller is still connected and still allowed.
 */
export async function openDownload(
  ctx: ReadContext,
  file: FileHead,
  parts: () => AsyncGenerator<string>,
): Promise<Download> {
  const release = ctx.runtime.downloads.takeFor(ctx, "downloads");
  try {
    const making = parts();
    const first = await making.next();
    const download = new Download(file, allowedParts(ctx, first, making), release);
    // Hosts such as Next never touch the file if its reader disconnects before it is sent.
    const { signal } = ctx.request;
    signal.addEventListener("abort", () => download.close(), { once: true });
    if (signal.aborted) download.close();
    return download;
  } catch (error) {
    release();
    throw error;
  }
}

async function* allowedParts(
  { request: { requestId, signal }, runtime, stillAllowed }: ReadContext,
  first: IteratorResult<string>,
  rest: AsyncGenerator<string>,
): AsyncGenerator<string> {
  try {
    for (let part = first; !part.done; part = await rest.next()) {
      yield part.value;
      signal.throwIfAborted();
      if (!(await stillAllowed())) throw new Error("The caller is no longer allowed.");
    }
  } catch (error) {
    // The headers have been sent, so the error can only be logged.
    if (!signal.aborted) runtime.log.warn({ err: error, requestId }, "a download was cut off");
    throw error;
  } finally {
    await rest.return(undefined);
  }
}

/** The output schema of an operation that answers with a {@link Download}. Its media types are in `rest.mediaTypes`. */
export const download = z.instanceof(Download);

/** A download as a web stream: a chunk is made for each read, and none after the reader disconnects. */
export function byteStream(file: Download): ReadableStream<Uint8Array> {
  const iterator = file.chunks[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      const cut = () => {
        controller.error(file.signal.reason);
        // A failed stream is not canceled later.
        iterator.return?.().catch(() => {});
      };
      file.signal.addEventListener("abort", cut, { once: true });
    },
    async pull(controller) {
      const { value, done } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await iterator.return?.();
      file.close();
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
