// QR codes: a camera reads them back, and the PNG has the size and the bit depth that its header says.
import jsQR from "jsqr";
import sharp from "sharp";
import { expect, it } from "vitest";
import { qrPng, qrSvg } from "./qr";

const link = `https://pay.example.com/pay/${"aB3dE6gH9j".repeat(4)}`;

/** What a camera reads in the image. */
async function read(image: Uint8Array | string): Promise<string | undefined> {
  const { data, info } = await sharp(Buffer.from(image), { density: 300 })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data;
}

it.each([256, 511, 512, 1024])("draws a PNG of %i pixels with one bit for each", async (width) => {
  const image = qrPng(link, width);
  expect(await read(image)).toBe(link);
  expect(await sharp(image).metadata()).toMatchObject({ format: "png", width, height: width });
  const fields = Buffer.from(image.buffer, image.byteOffset + 16, 10);
  expect([fields.readUInt32BE(0), fields.readUInt32BE(4)]).toEqual([width, width]);
  // One bit for each pixel, grayscale.
  expect([fields[8], fields[9]]).toEqual([1, 0]);
  expect(image.byteLength).toBeLessThan(3_000);
});

it("leaves a light margin of at least four modules on each side", async () => {
  const { data, info } = await sharp(qrPng(link, 512)).grayscale().raw().toBuffer({ resolveWithObject: true });
  const dark: number[] = [];
  for (let i = 0; i < data.length; i += info.channels) if ((data[i] ?? 255) < 128) dark.push(i / info.channels);
  const columns = dark.map((at) => at % 512);
  const rows = dark.map((at) => Math.floor(at / 512));
  const left = columns.reduce((least, x) => Math.min(least, x), 512);
  const right = columns.reduce((most, x) => Math.max(most, x), 0);
  const side = right - left + 1;
  // The mark at a corner is seven modules wide: from its first dark pixel on, seven modules down.
  const first = Math.min(...rows.slice(0, 1));
  let mark = 0;
  while ((data[((first + mark) * 512 + left) * info.channels] ?? 255) < 128) mark++;
  const module = mark / 7;
  expect(side % module).toBe(0);
  for (const space of [left, 511 - right, first, 511 - (rows.at(-1) ?? 0)]) {
    expect(space).toBeGreaterThanOrEqual(4 * module);
  }
});

it.each([link, "otpauth://totp/Quittance:a%40example.com?secret=ABCDEFGHIJKLMNOP"])("draws %s as SVG", async (text) => {
  expect(await read(qrSvg(text))).toBe(text);
});

it("refuses a width that the code does not fit into", () => {
  expect(() => qrPng(link, 40)).toThrow(RangeError);
});
