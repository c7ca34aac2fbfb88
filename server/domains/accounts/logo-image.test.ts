// Logos made of uploaded images: bounds, hostile and damaged files, orientation, transparency and color.
import { createHash, randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { expect, it } from "vitest";
import { limits } from "@/server/kit/limits";
import { readLogo } from "./logo-image";

type Channels = 3 | 4;

const plain = (width: number, height: number, background: string | object, channels: Channels = 3) =>
  sharp({ create: { width, height, channels, background } });

/** The logo of a file that can be read, and its pixels. */
async function logoOf(file: Buffer) {
  // However slow the machine is: the time limit has a test of its own.
  const logo = await readLogo(file, "a", 60_000);
  if (typeof logo === "string") throw new Error(`The image was refused: ${logo}.`);
  const bytes = Buffer.from(logo.image, "base64");
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * info.channels).subarray(0, info.channels),
  ];
  return { ...logo, bytes, at, metadata: await sharp(bytes).metadata() };
}

/** A PNG chunk with its checksum (PNG, 5.3). */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  crc.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, crc]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const signature = Buffer.from("89504e470d0a1a0a", "hex");

/** A PNG of gray pixels that claims this size, whatever its data is. */
function pngOf(width: number, height: number, data: Buffer, before: readonly Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const parts = [chunk("IHDR", header), ...before, chunk("IDAT", deflateSync(data)), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([signature, ...parts]);
}

it("fits the box without being enlarged, and names the hash of what is served", async () => {
  const large = await logoOf(await plain(2000, 400, "#0b7285").png().toBuffer());
  expect(large).toMatchObject({ type: "image/png", width: 480, height: 96, metadata: { width: 480, height: 96 } });
  expect(large.hash).toBe(createHash("sha256").update(large.bytes).digest("hex"));
  expect(large.at(5, 5)).toEqual([0x0b, 0x72, 0x85]);
  expect(await logoOf(await plain(40, 30, "red").jpeg().toBuffer())).toMatchObject({ width: 40, height: 30 });
});

it("keeps transparency", async () => {
  const half = { r: 255, g: 0, b: 0, alpha: 0.5 };
  const logo = await logoOf(await plain(100, 100, half, 4).png().toBuffer());
  expect(logo.metadata.hasAlpha).toBe(true);
  expect(logo.at(3, 3)[3]).toBe(128);
});

it("is upright and has no metadata", async () => {
  const exif = { IFD0: { Copyright: "Somebody", Artist: "At home" }, IFD3: { GPSLatitude: "48/1 12/1 30/1" } };
  const file = await plain(60, 30, "red")
    .composite([{ input: await plain(30, 30, "blue").png().toBuffer(), left: 0, top: 0 }])
    .jpeg({ quality: 100 })
    .withExif(exif)
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const logo = await logoOf(file);
  expect(logo).toMatchObject({ width: 30, height: 60 });
  // What was on the left is now above.
  expect(logo.at(15, 5)[2]).toBeGreaterThan(200);
  expect(logo.at(15, 55)[0]).toBeGreaterThan(200);
  expect(logo.metadata.exif ?? logo.metadata.orientation ?? logo.metadata.icc).toBeUndefined();
  expect(logo.bytes.includes("Somebody")).toBe(false);
});

it("converts CMYK, wide colors, 16 bits and gray to sRGB", async () => {
  const cmyk = await plain(50, 50, "#ff0000").toColourspace("cmyk").jpeg().toBuffer();
  expect((await sharp(cmyk).metadata()).space).toBe("cmyk");
  const [red = 0, green = 0] = (await logoOf(cmyk)).at(10, 10);
  expect(red).toBeGreaterThan(200);
  expect(green).toBeLessThan(80);
  const wide = await plain(50, 50, "#00ff00").withIccProfile("p3").png().toBuffer();
  expect((await logoOf(wide)).metadata).toMatchObject({ space: "srgb", hasProfile: false });
  const deep = await plain(50, 50, "#336699").toColourspace("rgb16").png().toBuffer();
  expect((await logoOf(deep)).at(1, 1)).toEqual([0x33, 0x66, 0x99]);
  expect((await logoOf(await plain(50, 50, "#808080").grayscale().png().toBuffer())).metadata.format).toBe("png");
});

it("stays within 12 KiB, whatever the image shows", async () => {
  const noise = (channels: Channels) =>
    sharp(randomBytes(480 * 160 * channels), { raw: { width: 480, height: 160, channels } });
  const opaque = await logoOf(await noise(3).jpeg({ quality: 95 }).toBuffer());
  expect(opaque.type).toBe("image/jpeg");
  expect(opaque.bytes.length).toBeLessThanOrEqual(limits.logo.storedBytes);
  const transparent = await logoOf(await noise(4).png().toBuffer());
  expect(transparent).toMatchObject({ type: "image/png", metadata: { hasAlpha: true } });
  expect(transparent.bytes.length).toBeLessThanOrEqual(limits.logo.storedBytes);
});

it("shows the first image of an animation", async () => {
  const frames = Buffer.alloc(8);
  frames.writeUInt32BE(2);
  const control = Buffer.alloc(26);
  control.writeUInt32BE(20, 4);
  control.writeUInt32BE(10, 8);
  const black = Buffer.alloc(10 * 21);
  const animated = pngOf(20, 10, black, [chunk("acTL", frames), chunk("fcTL", control)]);
  expect(await logoOf(animated)).toMatchObject({ width: 20, height: 10 });
});

it("refuses images with a side so long that decoding them takes gigabytes", async () => {
  const { side } = limits.logo;
  for (const [width, height] of [
    [side + 1, 1],
    [1, side + 1],
    [2, 8_000_000],
  ] as const) {
    expect(await readLogo(pngOf(width, height, Buffer.alloc(100)), "a")).toBe("image_too_large");
  }
  expect(await logoOf(await plain(side, 1, "red").png().toBuffer())).toMatchObject({ width: 480, height: 1 });
});

it("refuses everything but PNG and JPEG, by content", async () => {
  const image = plain(20, 20, "red");
  const others = [
    ...(await Promise.all([image.webp().toBuffer(), image.gif().toBuffer(), image.tiff().toBuffer()])),
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    Buffer.from("<!doctype html><script>alert(1)</script>"),
    Buffer.from("%PDF-1.7"),
    Buffer.alloc(0),
    // The beginning of a PNG, then something else.
    Buffer.concat([signature, Buffer.from("<script>alert(1)</script>")]),
    Buffer.concat([Buffer.from("ffd8ff", "hex"), randomBytes(500)]),
  ];
  for (const file of others) expect(await readLogo(file, "a")).toBe("image_unreadable");
});

it("refuses truncated files, and files with wrong checksums", async () => {
  const image = sharp(randomBytes(200 * 100 * 3), { raw: { width: 200, height: 100, channels: 3 } });
  for (const file of [await image.png().toBuffer(), await image.jpeg().toBuffer()]) {
    expect(await readLogo(file.subarray(0, file.length / 2), "a")).toBe("image_unreadable");
  }
  const damaged = await image.png().toBuffer();
  damaged.fill(0, 2000, 2100);
  expect(await readLogo(damaged, "a")).toBe("image_unreadable");
  // It claims more rows than its data has.
  expect(await readLogo(pngOf(100, 100, Buffer.alloc(101)), "a")).toBe("image_unreadable");
});

it("refuses too many bytes or pixels before it decodes any", async () => {
  const padded = Buffer.concat([await plain(20, 20, "red").png().toBuffer(), Buffer.alloc(limits.logo.bytes)]);
  expect(await readLogo(padded, "a")).toBe("image_too_large");
  // 900 megapixels in 40 bytes: decoding them would take gigabytes.
  expect(await readLogo(pngOf(30_000, 30_000, Buffer.alloc(20)), "a")).toBe("image_too_large");
  expect(await readLogo(pngOf(16_000_001, 1, Buffer.alloc(20)), "a")).toBe("image_too_large");
});

it("reads an image of the largest size, however well it is packed", async () => {
  const bomb = pngOf(4000, 4000, Buffer.alloc(4000 * 4001));
  expect(bomb.length).toBeLessThan(100_000);
  expect(await logoOf(bomb)).toMatchObject({ width: 160, height: 160 });
});

it("gives up an image that takes too long, and then reads the next", async () => {
  const file = await plain(20, 20, "red").png().toBuffer();
  await expect(readLogo(file, "a", 1)).rejects.toMatchObject({ code: "unavailable" });
  expect(await logoOf(file)).toMatchObject({ width: 20 });
});

it("reads many uploads one after the other", async () => {
  const file = await plain(300, 100, "navy").png().toBuffer();
  const logos = await Promise.all(Array.from({ length: 4 }, () => logoOf(file)));
  expect(new Set(logos.map(({ hash }) => hash)).size).toBe(1);
});
