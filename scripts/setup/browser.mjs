// Finds a Chromium for the browser tests, or installs one.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { canInstall, installFromDebian } from "./debian.mjs";
import { ROOT, SetupError } from "./project.mjs";
import { runStep } from "./step.mjs";

/** Chromium without windows, as Playwright installs it. The flows need a quarter less processor time. */
const HEADLESS_SHELL = "chromium-headless-shell";
const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const PATHS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The path of a browser, or null for the one that Playwright has installed. */
export async function findBrowser() {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH && !existsSync(CHROMIUM_PATH)) throw new SetupError(`CHROMIUM_PATH: no file ${CHROMIUM_PATH}`);
  const found = CHROMIUM_PATH || find([HEADLESS_SHELL]) || (await installHeadlessShell()) || find(NAMES, PATHS);
  if (found) return found;
  await runStep({
    name: "browser",
    title: "installing Playwright's Chromium",
    command: process.execPath,
    args: [path.join(ROOT, "node_modules/playwright/cli.js"), "install", "chromium"],
    explain: () => "No browser for the tests. Install Chromium or Chrome, or name one in CHROMIUM_PATH.",
  });
  return null;
}

async function installHeadlessShell() {
  if (!canInstall()) return null;
  await installFromDebian([HEADLESS_SHELL]);
  return find([HEADLESS_SHELL]);
}

function find(names, paths = []) {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const candidates = [...names.flatMap((name) => folders.map((folder) => path.join(folder, name))), ...paths];
  return candidates.find((file) => existsSync(file) && spawnSync(file, ["--version"]).status === 0) ?? null;
}
