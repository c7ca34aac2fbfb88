// Makes a PDF file smaller without changing what it says: its small objects are compressed together, in object streams,
// and its table of offsets as a stream (ISO 32000-1, 7.5.7 and 7.5.8). pdfkit writes each of them as plain text.
import { deflateSync } from "node:zlib";

/** What pdfkit knows of a file that it has written. */
interface Written {
  bytes: Buffer;
  /** Where the object of each number begins, from number 1. */
  offsets: readonly number[];
  root: number;
  info: number;
}

/** Objects in one stream: a viewer that needs one of them reads them all. */
const perStream = 200;

const ends = { stream: "\nendstream\nendobj\n", object: "\nendobj\n" };

/** The same file. */
export function compact({ bytes, offsets, root, info }: Written): Uint8Array<ArrayBuffer> {
  const file = new CompactFile(bytes.subarray(0, Math.min(...offsets)), offsets.length);
  const plain: [number: number, body: string][] = [];
  for (const [number, body] of objectsOf(bytes, offsets)) {
    if (body.endsWith(ends.stream)) file.append(number, Buffer.from(body, "latin1"));
    else plain.push([number, body.slice(body.indexOf(" obj\n") + 5, -ends.object.length)]);
  }
  for (let at = 0; at < plain.length; at += perStream) file.appendTogether(plain.slice(at, at + perStream));
  const id = /\/ID (\[[^\]]*\])/.exec(bytes.subarray(bytes.lastIndexOf("trailer")).toString("latin1"))?.[1] ?? "[]";
  return file.finish(`/Root ${root} 0 R /Info ${info} 0 R /ID ${id}`);
}

/** Each object by its number, with the lines around it. */
function objectsOf(bytes: Buffer, offsets: readonly number[]): [number: number, body: string][] {
  const order = offsets.map((start, at) => ({ number: at + 1, start })).sort((a, b) => a.start - b.start);
  const end = bytes.lastIndexOf("xref\n0 ");
  return order.map(({ number, start }, at) => {
    const body = bytes.subarray(start, order[at + 1]?.start ?? end).toString("latin1");
    return [number, body];
  });
}

/** A file in the making. */
class CompactFile {
  private readonly parts: Buffer[];
  private length: number;
  /** By number: the type and the two fields of its entry in the table of offsets. */
  private readonly entries: (readonly [type: number, first: number, second: number])[] = [[0, 0, 65_535]];
  private next: number;

  constructor(head: Buffer, objects: number) {
    this.parts = [head];
    this.length = head.length;
    this.next = objects + 1;
  }

  append(number: number, object: Buffer): void {
    this.entries[number] = [1, this.length, 0];
    this.parts.push(object);
    this.length += object.length;
  }

  appendTogether(objects: readonly [number: number, body: string][]): void {
    const stream = this.next++;
    let offset = 0;
    const heads = objects.map(([number, body], index) => {
      const head = `${number} ${offset}`;
      this.entries[number] = [2, stream, index];
      offset += body.length + 1;
      return head;
    });
    const head = `${heads.join(" ")}\n`;
    const content = Buffer.from(head + objects.map(([, body]) => `${body}\n`).join(""), "latin1");
    this.append(stream, streamOf(stream, `/Type /ObjStm /N ${objects.length} /First ${head.length}`, content));
  }

  finish(trailer: string): Uint8Array<ArrayBuffer> {
    const number = this.next++;
    const start = this.length;
    this.entries[number] = [1, start, 0];
    const table = Buffer.alloc(this.entries.length * 7);
    this.entries.forEach(([type, first, second], at) => {
      table.writeUInt8(type, at * 7);
      table.writeUInt32BE(first, at * 7 + 1);
      table.writeUInt16BE(second, at * 7 + 5);
    });
    const head = `/Type /XRef /Size ${this.entries.length} /W [1 4 2] ${trailer}`;
    this.append(number, streamOf(number, head, table));
    this.parts.push(Buffer.from(`startxref\n${start}\n%%EOF\n`));
    return new Uint8Array(Buffer.concat(this.parts));
  }
}

function streamOf(number: number, entries: string, content: Buffer): Buffer {
  const bytes = deflateSync(content, { level: 9 });
  const head = `${number} 0 obj\n<< ${entries} /Length ${bytes.length} /Filter /FlateDecode >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from(ends.stream)]);
}
