// The program that makes a logo of an uploaded image, in a process of its own: a decoder that crashes, hangs or is
// taken over by a hostile image gets no secret in its environment, and takes nothing down. Image on stdin, limits as the
// argument, JSON on stdout.
const sharp = require("sharp");

/** Only these two decoders exist in this process. */
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["VipsForeignLoadPng", "VipsForeignLoadJpeg"] });
sharp.cache(false);
sharp.concurrency(1);

/** A palette saves at most this factor, so one that cannot be enough is not tried: finding colors takes long. */
const paletteSaves = 10;

/** From best to smallest, with the largest size of the lossless encoding for which each is tried. */
const encodings = [
  { encode: (image) => image.png({ palette: true, colours: 256 }), factor: paletteSaves },
  // JPEG has no transparency.
  ...[88, 75, 60].map((quality) => ({ encode: (image) => image.jpeg({ quality, mozjpeg: true }), isOpaque: true })),
  { encode: (image) => image.png({ palette: true, colours: 16, effort: 4 }) },
];
const scales = [1, 0.75, 0.5];

/** The pixels within the box, upright and in sRGB, without metadata. An animation is reduced to its first image. */
async function pixelsOf(bytes, { pixels, side, width, height }) {
  const found = await sharp(bytes, { limitInputPixels: pixels }).metadata();
  if (Math.max(found.width, found.height) > side) throw new Error("A side exceeds the pixel limit.");
  const { data, info } = await sharp(bytes, { limitInputPixels: pixels, failOn: "error" })
    .autoOrient()
    .resize({ width, height, fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, raw: { width: info.width, height: info.height, channels: info.channels } };
}

/** The best encoding that has at most `storedBytes`. */
async function logoOf(bytes, limits) {
  const { data, raw } = await pixelsOf(bytes, limits);
  const { isOpaque } = await sharp(data, { raw }).stats();
  for (const scale of scales) {
    const [width, height] = [raw.width, raw.height].map((side) => Math.max(1, Math.round(side * scale)));
    const scaled = sharp(data, { raw }).resize({ width, height, fit: "fill" });
    const image = await smallEnough(isOpaque ? scaled.removeAlpha() : scaled, isOpaque, limits.storedBytes);
    if (image === null) continue;
    const type = image[0] === 0xff ? "image/jpeg" : "image/png";
    return { logo: { type, width, height, image: image.toString("base64") } };
  }
  throw new Error("No encoding is small enough.");
}

async function smallEnough(image, isOpaque, most) {
  const lossless = await image.clone().png({ compressionLevel: 9, adaptiveFiltering: true }).toBuffer();
  if (lossless.length <= most) return lossless;
  for (const { encode, factor = Number.POSITIVE_INFINITY, ...only } of encodings) {
    if (lossless.length > most * factor || (only.isOpaque && !isOpaque)) continue;
    const encoded = await encode(image.clone()).toBuffer();
    if (encoded.length <= most) return encoded;
  }
  return null;
}

async function main() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const limits = JSON.parse(process.argv[2]);
  const answer = await logoOf(Buffer.concat(chunks), limits).catch(({ message }) => ({
    problem: /pixel limit/.test(message) ? "image_too_large" : "image_unreadable",
  }));
  process.stdout.write(JSON.stringify(answer));
}

main();
