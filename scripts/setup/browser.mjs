// Finds a Chromium for the browser tests, or installs one.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { ROOT, SetupError } from "./project.mjs";
import { runStep } from "./step.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const PATHS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The path of a browser, or null for the one that Playwright has installed. */
export async function findBrowser() {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH && !existsSync(CHROMIUM_PATH)) throw new SetupError(`CHROMIUM_PATH: no file ${CHROMIUM_PATH}`);
  const installed = CHROMIUM_PATH || installedBrowser();
  if (installed) return installed;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const script = "apt-get update && apt-get install -y --no-install-recommends chromium";
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await runStep({ name: "browser", title: "installing Chromium", command: "sh", args: ["-c", script], env });
    const found = installedBrowser();
    if (found) return found;
  }
  await runStep({
    name: "browser",
    title: "installing Playwright's Chromium",
    command: process.execPath,
    args: [path.join(ROOT, "node_modules/playwright/cli.js"), "install", "chromium"],
    explain: () => "No browser for the tests. Install Chromium or Chrome, or name one in CHROMIUM_PATH.",
  });
  return null;
}

function installedBrowser() {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const candidates = [...folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name))), ...PATHS];
  return candidates.find((file) => existsSync(file) && spawnSync(file, ["--version"]).status === 0) ?? null;
}
