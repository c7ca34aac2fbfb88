// An answer that is a file: written piece by piece, so that its size needs no memory, and as long as its caller may have it.
import * as z from "zod";
import type { ReadContext } from "./context";
import { limits } from "./limits";

interface FileHead {
  contentType: string;
  /** ASCII without quotes. */
  fileName: string;
}

/** A file that is sent while it is made. Its chunks are asked for one at a time, as fast as the receiver takes them. */
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

  /** Fires when the file must be cut off although nobody asks for its next chunk. */
  get signal(): AbortSignal {
    return this.cutting.signal;
  }

  /** Ends it, whether or not it was sent. Must be called by the code that received the download. */
  close(): void {
    this.release();
  }

  /** The pieces, of which each must be taken in good time, so that a reader that stands still holds nothing for long. */
  private async *watched(pieces: AsyncGenerator<string>): AsyncGenerator<string> {
    const { stalledMs, longestMs } = limits.download;
    const cut = (reason: string) => () => this.cutting.abort(new Error(reason));
    const longest = setTimeout(cut("the download took too long"), longestMs).unref();
    let stalled: NodeJS.Timeout | undefined;
    try {
      for await (const piece of pieces) {
        if (piece === "") continue;
        stalled = setTimeout(cut("the reader takes too little"), stalledMs).unref();
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
 * Opens a download of what `parts` makes. Its first part is made before the answer begins, so that what fails at once is
 * refused in words, and so is a caller who has too many under way (`rate_limited`). Before each further part it is asked
 * whether the caller is still there and still allowed.
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
    // Hosts such as Next do not touch the file at all when its reader has gone before it is sent.
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
      if (!(await stillAllowed())) throw new Error("The caller is not allowed any more.");
    }
  } catch (error) {
    // The head of the answer is out: all that can be said of it is said here.
    if (!signal.aborted) runtime.log.warn({ err: error, requestId }, "a download was cut off");
    throw error;
  } finally {
    await rest.return(undefined);
  }
}

/** The output of an operation that answers with a {@link Download}; its media types stand in `rest.mediaTypes`. */
export const download = z.instanceof(Download);

/** A download as the platform's stream: a chunk is made when one is read, and none any more once the reader has gone. */
export function byteStream(file: Download): ReadableStream<Uint8Array> {
  const iterator = file.chunks[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      const cut = () => {
        controller.error(file.signal.reason);
        // A stream that has failed is not canceled any more.
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
