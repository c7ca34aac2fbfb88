// node scripts/run.mjs bench/qr.ts [images]: CPU of drawing the QR code of a pay link, as PNG and as SVG.
import { qrPng, qrSvg } from "@/server/kit/qr";

const images = Number(process.argv[2] ?? 300);
const link = (i: number) => `https://pay.example.com/pay/${i.toString(36).padStart(43, "aB3dE6gH9j")}`;

/** Milliseconds of user and system time of each image, smallest first. */
function measured(draw: (text: string) => unknown): number[] {
  for (let i = 0; i < 50; i++) draw(link(i));
  const times: number[] = [];
  for (let i = 0; i < images; i++) {
    const before = process.cpuUsage();
    draw(link(1_000 + i));
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return times.sort((a, b) => a - b);
}

for (const [name, draw] of [
  ["PNG, 512 pixels (pay page)", (text: string) => qrPng(text, 512)],
  ["PNG, 1024 pixels (dashboard)", (text: string) => qrPng(text, 1024)],
  ["SVG", qrSvg],
] as const) {
  const times = measured(draw);
  const at = (share: number) => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1);
  console.log(`| ${name} | ${at(0.5)} | ${at(0.95)} |`);
}
