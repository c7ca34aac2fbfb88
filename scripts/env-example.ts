// npm run env:example: writes .env.example from the schema of the configuration; with --check it reports staleness.
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { schema } from "@/server/process/env";

const FILE = new URL("../.env.example", import.meta.url);
const LINE_LENGTH = 100;

/** `text` as comment lines. */
function comment(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last.length + word.length + 3 > LINE_LENGTH) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines.map((line) => `# ${line}`).join("\n");
}

function example(): string {
  const header = comment(
    "Copy to .env and change what you need. Every variable may be left out; the values shown are the defaults. Variables of the environment win over this file. Made by: npm run env:example",
  );
  const blocks = Object.entries(schema.shape).map(([name, field]) => {
    const value = field instanceof z.ZodPrefault ? String(field.def.defaultValue) : "";
    return `${comment(field.description ?? "")}\n#${name}=${value}`;
  });
  return `${[header, ...blocks].join("\n\n")}\n`;
}

if (!process.argv.includes("--check")) writeFileSync(FILE, example());
else if (readFileSync(FILE, "utf8") !== example()) {
  console.error(".env.example is stale. Run: npm run env:example");
  process.exitCode = 1;
}
