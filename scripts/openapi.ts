// Writes openapi.json from the operations; with --check it reports whether the file is stale.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { openApiOf } from "@/server/pipeline/openapi/document";
import { operations } from "@/server/pipeline/operations";

const file = "openapi.json";
const text = `${JSON.stringify(openApiOf(operations), null, 2)}\n`;

if (!process.argv.includes("--check")) {
  writeFileSync(file, text);
} else if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
  process.stderr.write("openapi.json is stale: run `npm run openapi` and commit it.\n");
  process.exit(1);
}
