// An answer that is a file: written piece by piece, so that its size needs no memory.
import * as z from "zod";

/** A file that is sent while it is made. Its chunks are asked for one at a time, as fast as the receiver takes them. */
export class Download {
  constructor(
    readonly contentType: string,
    /** ASCII without quotes. */
    readonly fileName: string,
    readonly chunks: AsyncIterable<string>,
  ) {}

  get headers(): Record<string, string> {
    return {
      "Content-Type": this.contentType,
      "Content-Disposition": `attachment; filename="${this.fileName}"`,
    };
  }
}

/** The output of an operation that answers with a {@link Download}; its media types stand in `rest.mediaTypes`. */
export const download = z.instanceof(Download);

/** Chunks as the platform's stream: one is made when one is read, and none any more once the reader has gone. */
export function byteStream(chunks: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const { value, done } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
