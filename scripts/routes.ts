// Writes app/v1/**/route.ts, the map of the REST interface, from the table of operations; --check reports stale files.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Operation } from "@/server/kit/operation";
import { operations } from "@/server/pipeline/operations";

const folder = "app/v1";
const table = "server/pipeline/operations.ts";
/** Answers every path that no operation has; written by hand. */
const catchAll = `${folder}/[...path]/route.ts`;

/** Where the table imports an operation from, and under which name. */
async function sources(): Promise<Map<unknown, { name: string; module: string }>> {
  const found = new Map<unknown, { name: string; module: string }>();
  for (const [, module = ""] of readFileSync(table, "utf8").matchAll(/ from "(@\/server\/[^"]+)";/g)) {
    for (const [name, value] of Object.entries(await import(module))) found.set(value, { name, module });
    // A table of its own for one resource: its operations are in files beside it.
    if (module.endsWith("/operations/all"))
      for (const [value, source] of await besideOf(module)) found.set(value, source);
  }
  return found;
}

/** The operations in the other files of the folder of a table. */
async function besideOf(table: string): Promise<[unknown, { name: string; module: string }][]> {
  const beside = path.posix.dirname(table);
  const files = readdirSync(beside.slice("@/".length)).filter((file) => /^(?!all\.)[\w-]+\.ts$/.test(file));
  const modules = files.map((file) => `${beside}/${path.posix.basename(file, ".ts")}`);
  const named = modules.map(async (module) =>
    Object.entries(await import(module)).map(([name, value]): [unknown, { name: string; module: string }] => [
      value,
      { name, module },
    ]),
  );
  return (await Promise.all(named)).flat();
}

/** The text of each route file, by its path. */
async function routeFiles(): Promise<Map<string, string>> {
  const known = await sources();
  const byPath = new Map<string, { name: string; module: string }[]>();
  for (const operation of Object.values(operations).flatMap((verbs): Operation[] => Object.values(verbs))) {
    if (!operation.rest) continue;
    // One that the table makes itself, such as the description of the interface, is taken from there.
    const source = known.get(operation) ?? {
      name: `operations.${operation.id}`,
      module: "@/server/pipeline/operations",
    };
    const file = `${folder}${operation.rest.path.slice("/v1".length).replaceAll(/\{(\w+)\}/g, "[$1]")}/route.ts`;
    byPath.set(file, [...(byPath.get(file) ?? []), source]);
  }
  return new Map([...byPath].map(([file, named]) => [file, textOf(named)]));
}

function textOf(named: readonly { name: string; module: string }[]): string {
  const modules = [...new Set(named.map(({ module }) => module))];
  const namesOf = (module: string) => {
    const own = named.filter((one) => one.module === module).map(({ name }) => name.split(".")[0]);
    return [...new Set(own)].sort().join(", ");
  };
  const imports = [
    ...modules.map((module) => ({ module, line: `import { ${namesOf(module)} } from "${module}";` })),
    { module: "@/server/http/web", line: 'import { route } from "@/server/http/web";' },
  ].sort((a, b) => (a.module < b.module ? -1 : 1));
  const names = named.map(({ name }) => name).sort();
  return `${imports.map(({ line }) => line).join("\n")}

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(${names.join(", ")});
`;
}

const wanted = await routeFiles();
const existing = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .map((file) => path.posix.join(folder, file.replaceAll("\\", "/")))
  .filter((file) => file.endsWith("/route.ts") && file !== catchAll);
const stale = [
  ...[...wanted]
    .filter(([file, text]) => !existsSync(file) || readFileSync(file, "utf8") !== text)
    .map(([file]) => file),
  ...existing.filter((file) => !wanted.has(file)),
];

if (process.argv.includes("--check")) {
  for (const file of stale) process.stderr.write(`${file} is stale: run \`npm run routes\` and commit it.\n`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const file of stale) {
    const text = wanted.get(file);
    mkdirSync(path.dirname(file), { recursive: true });
    if (text === undefined) rmSync(file);
    else writeFileSync(file, text);
  }
}
