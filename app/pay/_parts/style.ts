// The pay page's style: one sheet inside the page, its values from tokens.css, and the account's colour.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const rules = `
*{box-sizing:border-box}
body{margin:0;min-height:100dvh;display:flex;flex-direction:column;background:var(--color-page);color:var(--color-text);font:var(--weight-normal) var(--text-md)/var(--leading-normal) var(--font-sans);-webkit-font-smoothing:antialiased;overflow-wrap:anywhere}
h1,h2,p,dl,dd,ul,fieldset{margin:0;padding:0;border:0}
a{color:var(--color-link)}
:focus-visible{outline:2px solid var(--color-focus);outline-offset:2px}
.test{padding:var(--space-2) var(--space-4);background:var(--color-test);color:var(--color-on-test);font-size:var(--text-sm);text-align:center}
.test b{margin-inline-end:var(--space-2);letter-spacing:.06em}
.page{width:100%;max-width:calc(var(--width-form) + 2*var(--space-4));margin:0 auto;padding:clamp(var(--space-4),8vh,var(--space-16)) var(--space-4) var(--space-8);flex:1}
.card{border:1px solid var(--color-line);border-radius:var(--radius-lg);background:var(--color-surface);box-shadow:var(--shadow-card);overflow:hidden}
.part{padding:var(--space-6)}
.part+.part{border-top:1px solid var(--color-line)}
.from{display:flex;align-items:center;gap:var(--space-3);font-weight:var(--weight-medium)}
.tile{flex:none;display:grid;place-items:center;width:var(--space-10);height:var(--space-10);border-radius:var(--radius-md);background:var(--brand);color:var(--on-brand);font-weight:var(--weight-bold);font-size:var(--text-lg)}
h1{margin-top:var(--space-5);font-size:var(--text-lg);font-weight:var(--weight-bold);line-height:var(--leading-tight)}
.what{margin-top:var(--space-4);font-weight:var(--weight-medium)}
.note b{white-space:nowrap}
.dim{color:var(--color-text-dimmed);font-size:var(--text-sm)}
.amount{margin-top:var(--space-2);font-size:var(--text-amount);font-weight:var(--weight-bold);line-height:var(--leading-tight);letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.amount small{font-size:var(--text-md);font-weight:var(--weight-normal);letter-spacing:0;color:var(--color-text-dimmed)}
.facts{display:grid;gap:var(--space-2);margin-top:var(--space-4);font-size:var(--text-sm)}
.facts div{display:flex;justify-content:space-between;gap:var(--space-4)}
.facts dt{color:var(--color-text-dimmed)}
.facts dd{text-align:end;font-variant-numeric:tabular-nums}
.facts .item dt{color:inherit}
.facts .item span{display:block;color:var(--color-text-dimmed)}
.facts .sum{padding-top:var(--space-2);border-top:1px solid var(--color-line);font-weight:var(--weight-bold)}
.facts .sum dt{color:inherit}
.note{padding:var(--space-3) var(--space-4);border-radius:var(--radius-md);font-size:var(--text-sm)}
.bad{background:var(--color-negative-tint);color:var(--color-negative)}
.hint{background:var(--color-surface-sunken);color:var(--color-text-dimmed)}
.note h2{font-size:inherit;line-height:inherit}
.note ul{padding-inline-start:var(--space-4)}
.note a{display:inline-block;padding-block:var(--space-1);color:inherit}
form,fieldset{display:grid;gap:var(--space-4);min-width:0}
legend{padding:0;font-size:var(--text-lg);font-weight:var(--weight-bold);margin-bottom:var(--space-3)}
.row{display:grid;grid-template-columns:repeat(auto-fit,minmax(7rem,1fr));gap:var(--space-4);align-items:start}
label{display:block;margin-bottom:var(--space-1);font-size:var(--text-sm);font-weight:var(--weight-medium)}
input{width:100%;min-height:var(--target-touch);padding:0 var(--space-3);border:1px solid var(--color-line-strong);border-radius:var(--radius-sm);background:var(--color-surface);color:inherit;font:inherit;font-variant-numeric:tabular-nums}
input[aria-invalid]{border-color:var(--color-negative);box-shadow:inset 0 0 0 1px var(--color-negative)}
.help,.error{display:block;margin-top:var(--space-1);font-size:var(--text-sm);color:var(--color-text-dimmed)}
.error{color:var(--color-negative)}
.button{display:flex;align-items:center;justify-content:center;width:100%;min-height:var(--space-12);padding:var(--space-2) var(--space-4);border:1px solid transparent;border-radius:var(--radius-md);background:var(--brand);color:var(--on-brand);font:var(--weight-bold) var(--text-md)/var(--leading-tight) var(--font-sans);font-variant-numeric:tabular-nums;text-decoration:none;text-align:center;cursor:pointer}
.button:hover{filter:brightness(.92)}
.outline{background:var(--color-surface);border-color:var(--color-line-strong);color:var(--color-text)}
.state{display:grid;justify-items:center;gap:var(--space-2);text-align:center}
.state h1{margin-top:var(--space-2);font-size:var(--text-xl)}
.state .mark{display:grid;place-items:center;width:var(--space-12);height:var(--space-12);border-radius:50%;background:var(--color-surface-sunken);color:var(--color-text-dimmed)}
.state .good{background:var(--color-positive-tint);color:var(--color-positive)}
.state .wrong{background:var(--color-negative-tint);color:var(--color-negative)}
.state .busy{background:var(--color-primary-tint);color:var(--color-link)}
.mark svg{width:50%;fill:none;stroke:currentColor;stroke-width:2.5;stroke-linecap:round;stroke-linejoin:round}
.foot{padding:var(--space-4);text-align:center}
@media (max-width:30em){.page{padding-top:var(--space-4)}.part{padding:var(--space-5) var(--space-4)}}
@media (max-width:22em){.amount{font-size:var(--text-2xl)}}
@media (forced-colors:active){.button,.tile{border:1px solid ButtonText}}
@media print{.test,form,.button{display:none}.card{border:0;box-shadow:none}}
`.trim();

/** The declarations of tokens.css by name. */
function readTokens(): ReadonlyMap<string, string> {
  const sheet = readFileSync(join(process.cwd(), "app/_ui/tokens.css"), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const root = sheet.slice(sheet.indexOf("{") + 1, sheet.indexOf("}"));
  return new Map(
    [...root.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = "", value = ""]) => [name, value.trim()]),
  );
}

/** Our rules with the values that they use, under short names for the sake of slow connections. Throws for no token. */
export function styleWith(tokens: ReadonlyMap<string, string>): string {
  const used = new Set([...rules.matchAll(/var\((--[\w-]+)/g)].map(([, name = ""]) => name));
  const short = new Map([...used].filter((name) => !ownNames.includes(name)).map((name, i) => [name, `--${i}`]));
  const declared = [...short].map(([name, brief]) => {
    const value = tokens.get(name);
    if (value === undefined) throw new Error(`tokens.css has no ${name}.`);
    return `${brief}:${value}`;
  });
  const sheet = rules.replaceAll(/var\((--[\w-]+)/g, (_, name: string) => `var(${short.get(name) ?? name}`);
  return `:root{color-scheme:light dark;${declared.join(";")}}\n${sheet}`;
}

/** The two values that an account decides. */
const ownNames = ["--brand", "--on-brand"];

let made: { tokens: ReadonlyMap<string, string>; sheet: string } | undefined;

/** The page's whole style sheet; `brandColor` is the account's `#rrggbb`, or null for the product's own. */
export function styleSheet(brandColor: string | null): string {
  made ??= (() => {
    const tokens = readTokens();
    return { tokens, sheet: styleWith(tokens) };
  })();
  const own = { ground: made.tokens.get("--color-primary") ?? "", text: made.tokens.get("--color-on-primary") ?? "" };
  const isColor = brandColor !== null && /^#[0-9a-f]{6}$/i.test(brandColor);
  const brand = isColor ? { ground: brandColor, text: readableOn(brandColor) } : own;
  return `${made.sheet}\n:root{--brand:${brand.ground};--on-brand:${brand.text}}`;
}

/** Black or white, whichever stands out more against the colour (WCAG 2.2, relative luminance). */
export function readableOn(color: string): "#000000" | "#ffffff" {
  const channel = (at: number) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? "#ffffff" : "#000000";
}
