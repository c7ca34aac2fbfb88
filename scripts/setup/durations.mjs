// A reporter for Vitest that keeps how long each file took, so that npm run test:changed knows which ones fit.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inProject } from "./project.mjs";

const file = inProject(".setup/durations.json");

/** Milliseconds that the tests of a file took when they last ran, by project and path: "sqlite-together db/sqlite.test.ts". */
export const durations = () => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {});

export default class DurationsReporter {
  onTestRunEnd(modules) {
    const known = durations();
    for (const module of modules) {
      known[`${module.project.name} ${module.relativeModuleId}`] = Math.round(module.diagnostic().duration);
    }
    mkdirSync(path.dirname(file), { recursive: true });
    // Another run may read it meanwhile.
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(known));
    renameSync(`${file}.${process.pid}`, file);
  }
}
