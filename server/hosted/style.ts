// The style of hosted pages: one sheet inside the page, with values from tokens.css and the account's color.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { limits } from "@/server/kit/limits";
import { remembered } from "@/server/kit/remembered";
import { readableAs, readableOn } from "./contrast";
import { rules } from "./style-rules";

type Tokens = ReadonlyMap<string, string>;

/** The declarations of tokens.css by name. */
export function readTokens(): Tokens {
  const sheet = readFileSync(join(process.cwd(), "app/_ui/tokens.css"), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const root = sheet.slice(sheet.indexOf("{") + 1, sheet.indexOf("}"));
  return new Map(
    [...root.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = "", value = ""]) => [name, value.trim()]),
  );
}

/**
 * The values that depend on the account: its color, text on it, and the nearest color readable on our backgrounds.
 */
const ownNames = ["--brand", "--on-brand", "--accent"];

/** Our rules with the values they use, under short names to save bytes. Throws for a missing token. */
export function styleWith(tokens: Tokens): string {
  const used = new Set([...rules.matchAll(/var\((--[\w-]+)/g)].map(([, name = ""]) => name));
  const short = new Map([...used].filter((name) => !ownNames.includes(name)).map((name, i) => [name, `--${i}`]));
  const declared = [...short].map(([name, brief]) => `${brief}:${tokenOf(tokens, name)}`);
  const sheet = rules.replaceAll(/var\((--[\w-]+)/g, (_, name: string) => `var(${short.get(name) ?? name}`);
  return `:root{color-scheme:light dark;${declared.join(";")}}\n${sheet}`;
}

function tokenOf(tokens: Tokens, name: string): string {
  const value = tokens.get(name);
  if (value === undefined) throw new Error(`tokens.css has no ${name}.`);
  return value;
}

/** The backgrounds of text and outlines, in light and dark mode. */
export function groundsOf(tokens: Tokens): { light: string[]; dark: string[] } {
  const pairs = ["--color-surface", "--color-page", "--color-surface-sunken"].map((name) => {
    const value = tokenOf(tokens, name);
    const [, light, dark] = /^light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)$/.exec(value) ?? [];
    if (!light || !dark) throw new Error(`${name} in tokens.css must be light-dark(#rrggbb, #rrggbb).`);
    return { light, dark };
  });
  return { light: pairs.map(({ light }) => light), dark: pairs.map(({ dark }) => dark) };
}

/** What all accounts share; read on first use. */
let shared: { tokens: Tokens; sheet: string; grounds: ReturnType<typeof groundsOf> } | undefined;

/** The text of a page's style sheet, and the source that allows it in a content security policy. */
interface StyleSheet {
  text: string;
  source: string;
}

const styleSheetOf = remembered(limits.rememberedColors, (brand): StyleSheet => {
  const text = styleText(brand);
  return { text, source: `'sha256-${createHash("sha256").update(text).digest("base64")}'` };
});

/** A page's style sheet. `brandColor` is the account's `#rrggbb`, or null for the product's own. */
export const styleSheet = (brandColor: string | null): StyleSheet =>
  styleSheetOf(brandColor !== null && /^#[0-9a-f]{6}$/i.test(brandColor) ? brandColor : "");

function styleText(brandColor: string): string {
  shared ??= (() => {
    const tokens = readTokens();
    return { tokens, sheet: styleWith(tokens), grounds: groundsOf(tokens) };
  })();
  const { tokens, sheet, grounds } = shared;
  const [brand, onBrand, accent] =
    brandColor === ""
      ? ["--color-primary", "--color-on-primary", "--color-link"].map((name) => tokenOf(tokens, name))
      : [
          brandColor,
          readableOn(brandColor),
          `light-dark(${readableAs(brandColor, grounds.light)},${readableAs(brandColor, grounds.dark)})`,
        ];
  return `${sheet}\n:root{--brand:${brand};--on-brand:${onBrand};--accent:${accent}}`;
}
