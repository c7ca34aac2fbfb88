// The app loads the stylesheets of the Mantine components it uses, no others, and the variables of its theme.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { MantineProvider } from "@mantine/core";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { cssVariablesResolver, theme } from "./theme";

const app = path.resolve(import.meta.dirname, "..");
const mantine = path.resolve(app, "../node_modules/@mantine/core");
const always = ["default-css-variables", "baseline", "global"];

/** The components that the app imports. */
function namedComponents(): string[] {
  const sources = readdirSync(app, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
  const texts = sources.map((file) => readFileSync(path.join(app, file), "utf8"));
  const imports = texts.flatMap((text) => [...text.matchAll(/import \{([^}]*)\} from "@mantine\/core"/g)]);
  const names = imports.flatMap(([, list = ""]) => list.split(",").map((name) => name.trim()));
  return [...new Set(names)].filter((name) => existsSync(path.join(mantine, `esm/components/${name}/${name}.mjs`)));
}

/** The style modules that a Mantine file imports, directly or not. */
function stylesOf(file: string, seen: Set<string>): string[] {
  if (seen.has(file) || !existsSync(file)) return [];
  seen.add(file);
  const own = /\/(\w+)\.module\.mjs$/.exec(file)?.[1];
  const imports = [...readFileSync(file, "utf8").matchAll(/from "(\.[^"]+)"/g)];
  const reached = imports.flatMap(([, target = ""]) => stylesOf(path.resolve(path.dirname(file), target), seen));
  return own === undefined ? reached : [own, ...reached];
}

test("the app loads the styles of exactly the components it uses", () => {
  const seen = new Set<string>();
  const used = namedComponents().flatMap((name) =>
    stylesOf(path.join(mantine, `esm/components/${name}/${name}.mjs`), seen),
  );
  const needed = used.filter((name) => existsSync(path.join(mantine, `styles/${name}.layer.css`)));
  const sheet = readFileSync(path.join(app, "_ui/mantine.css"), "utf8");
  const loaded = [...sheet.matchAll(/@mantine\/core\/styles\/([\w-]+)\.layer\.css/g)].map(([, name = ""]) => name);
  expect([...loaded].sort()).toEqual([...new Set([...always, ...needed])].sort());
});

test("the variables are those that Mantine computes from the theme", () => {
  const provider = createElement(MantineProvider, { theme, cssVariablesResolver }, null);
  const [, computed = ""] = /<style[^>]*>(.*?)<\/style>/s.exec(renderToStaticMarkup(provider)) ?? [];
  const written = readFileSync(path.join(app, "_ui/mantine-variables.css"), "utf8").replaceAll(/\/\*.*?\*\//gs, "");
  const compact = (css: string) => css.replaceAll(/\s+/g, "").replaceAll("'", '"');
  expect(compact(written)).toBe(compact(computed));
});
