// Draws QR codes, as SVG and as PNG with one bit for each pixel (ISO/IEC 18004; PNG specification, W3C).
import { crc32, deflateSync } from "node:zlib";
import { create } from "qrcode";

/** A light margin of four modules, as ISO/IEC 18004 requires. */
const margin = 4;

/** Readable with 15 % of the code damaged. */
const matrixOf = (text: string) => create(text, { errorCorrectionLevel: "M" }).modules;

/** The SVG document of a QR code with this text: a stroke for each run of dark modules. */
export function qrSvg(text: string): string {
  const { size, data } = matrixOf(text);
  let path = "";
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const begin = x;
      while (x < size && data[y * size + x]) x++;
      if (x > begin) path += `M${begin + margin} ${y + margin}.5h${x - begin}`;
    }
  }
  const side = size + 2 * margin;
  const box = `viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${box}><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path stroke="#000" d="${path}"/></svg>`;
}

/**
 * The PNG image of a QR code with this text, `width` pixels wide and high. All modules have the same size in whole
 * pixels, and the margin takes the rest.
 */
export function qrPng(text: string, width: number): Uint8Array<ArrayBuffer> {
  const { size, data } = matrixOf(text);
  const scale = Math.floor(width / (size + 2 * margin));
  if (scale < 1) throw new RangeError(`A QR code of ${size} modules does not fit into ${width} pixels.`);
  const before = Math.floor((width - size * scale) / 2);
  // Each row begins with its filter, 0 for none. The bits after it are light (1) or dark (0), the first one highest.
  const rowBytes = 1 + Math.ceil(width / 8);
  const rows = Buffer.alloc(rowBytes * width, 0xff);
  for (let y = 0; y < width; y++) rows[y * rowBytes] = 0;
  for (let y = 0; y < size; y++) {
    const first = (before + y * scale) * rowBytes;
    for (let x = 0; x < size; x++) if (data[y * size + x]) darken(rows, first + 1, before + x * scale, scale);
    for (let more = 1; more < scale; more++) rows.copy(rows, first + more * rowBytes, first, first + rowBytes);
  }
  return new Uint8Array(
    Buffer.concat([signature, header(width), chunk("IDAT", deflateSync(rows, { level: 1 })), chunk("IEND")]),
  );
}

/** Makes `count` pixels from `pixel` on dark, in the row whose bits begin at `start`. */
function darken(rows: Buffer, start: number, pixel: number, count: number): void {
  for (let x = pixel; x < pixel + count; x++)
    rows[start + (x >> 3)] = (rows[start + (x >> 3)] ?? 0) & ~(0x80 >> (x & 7));
}

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** Width, height, one bit for each pixel, grayscale, the only methods of compression and filtering, not interlaced. */
function header(width: number): Buffer {
  const fields = Buffer.alloc(13);
  fields.writeUInt32BE(width, 0);
  fields.writeUInt32BE(width, 4);
  fields[8] = 1;
  return chunk("IHDR", fields);
}

/** A chunk: the length of its data, its type, the data and a checksum of both. */
function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}
