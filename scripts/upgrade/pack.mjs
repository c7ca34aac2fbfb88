// Keeps a version's program for the upgrade tests: node scripts/upgrade/pack.mjs <commit or tag>
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { inProject, root } from "../setup/project.mjs";
import { bundleServer, filesOf } from "./program.mjs";

const [commit] = process.argv.slice(2);
if (commit === undefined) {
  console.error("Usage: node scripts/upgrade/pack.mjs <commit or tag>");
  process.exit(2);
}
const folder = mkdtempSync(path.join(tmpdir(), "quittance-pack-"));
try {
  const archive = execFileSync("git", ["archive", commit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  symlinkSync(inProject("node_modules"), path.join(folder, "node_modules"));
  const files = { "server.mjs": await bundleServer(folder, { minify: true }), ...filesOf(folder) };
  const target = inProject("test", "upgrade", `${commit}.json.gz`);
  writeFileSync(target, gzipSync(JSON.stringify(files), { level: 9 }));
  console.log(`${path.relative(root, target)}: ${Object.keys(files).length} files`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
