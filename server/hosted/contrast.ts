// Readable colors for any brand color: contrast as defined by WCAG 2.2, on `#rrggbb`.

type Channels = readonly [red: number, green: number, blue: number];

const channelsOf = (color: string): Channels => {
  const at = (start: number) => Number.parseInt(color.slice(start, start + 2), 16);
  return [at(1), at(3), at(5)];
};

const colorOf = (channels: Channels): string =>
  `#${channels.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;

/** Relative luminance, 0 to 1. */
function luminanceOf(color: string): number {
  const [red, green, blue] = channelsOf(color).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio, from 1 (equal) to 21 (black on white). */
export function contrastOf(one: string, other: string): number {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Black or white, whichever has the higher contrast with the color. It is always at least 4.5:1. */
export const readableOn = (color: string): "#000000" | "#ffffff" =>
  contrastOf("#ffffff", color) >= contrastOf("#000000", color) ? "#ffffff" : "#000000";

const leastContrast = 4.5;
const steps = 32;

/** The color, moved towards black or white just enough to be readable as text on each of the backgrounds. */
export function readableAs(color: string, grounds: readonly string[]): string {
  const goal = readableOn(grounds[0] ?? "#ffffff");
  const [from, to] = [channelsOf(color), channelsOf(goal)];
  for (let step = 0; step < steps; step++) {
    const share = step / steps;
    const mixed = colorOf([
      from[0] + (to[0] - from[0]) * share,
      from[1] + (to[1] - from[1]) * share,
      from[2] + (to[2] - from[2]) * share,
    ]);
    if (grounds.every((ground) => contrastOf(mixed, ground) >= leastContrast)) return mixed;
  }
  return goal;
}
