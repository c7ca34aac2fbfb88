// Generates the two clients with which e2e/http/clients.spec.ts walks the API, exactly as an integrator would: lints
// openapi.json, generates both from it, checks them and the walks with `tsc --strict`, and bundles the walks.
// Does nothing if that was done before with the same files.
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { installClients } from "../../scripts/setup/clients.mjs";
import { checksum, inProject, isStamped, writeStamp } from "../../scripts/setup/project.mjs";
import { writeExamples } from "./examples.mjs";

const folder = inProject("e2e/clients");
const generated = path.join(folder, "generated");
const stampFile = "e2e/clients/generated/.stamp";
const document = inProject("openapi.json");
const sources = ["prepare.mjs", "examples.mjs", "package-lock.json", "tsconfig.json", "walks"].map(
  (name) => `e2e/clients/${name}`,
);

/** Fails on every error and warning of Redocly's recommended rules. */
async function lintDocument() {
  const { createConfig, lint } = await import("@redocly/openapi-core");
  const problems = await lint({ ref: document, config: await createConfig({ extends: ["recommended"] }) });
  const lines = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`);
  if (lines.length > 0) throw new Error(`openapi.json has ${lines.length} lint problems:\n${lines.join("\n")}`);
}

async function generateOpenApiFetch() {
  const { default: openapiTS, astToString } = await import("openapi-typescript");
  // A default is what the server assumes, so a request may leave the field out.
  const types = await openapiTS(new URL(`file://${document}`), { defaultNonNullable: false });
  writeFileSync(path.join(generated, "openapi-fetch.ts"), astToString(types));
}

async function generateHeyApi() {
  const { createClient } = await import("@hey-api/openapi-ts");
  await createClient({
    input: document,
    output: path.join(generated, "hey-api"),
    logs: { level: "error", file: false },
  });
}

const checkTypes = () =>
  execFileSync(process.execPath, [path.join(folder, "node_modules/typescript/bin/tsc"), "-p", folder], {
    stdio: "inherit",
  });

const bundleWalks = () =>
  build({
    entryPoints: ["openapi-fetch", "hey-api"].map((name) => ({ in: `${folder}/walks/${name}/walk.ts`, out: name })),
    outdir: path.join(generated, "walks"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });

await installClients();
const sum = checksum(["openapi.json", "e2e/payer.ts", ...sources]);
if (!isStamped(stampFile, sum)) {
  rmSync(generated, { recursive: true, force: true });
  writeStamp("e2e/clients/generated/.begun", "");
  await lintDocument();
  await generateOpenApiFetch();
  await generateHeyApi();
  writeExamples(document, path.join(generated, "examples"));
  checkTypes();
  await bundleWalks();
  writeStamp(stampFile, sum);
}
