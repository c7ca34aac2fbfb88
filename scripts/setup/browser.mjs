// Finds a Chromium for the browser tests, or installs one.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { canInstall, installFromDebian } from "./debian.mjs";
import { root, SetupError } from "./project.mjs";
import { runStep } from "./step.mjs";

/** Chromium without windows, as Playwright installs it. The flows need a quarter less processor time. */
const headlessShell = "chromium-headless-shell";
const browserNames = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const browserPaths = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The path of a browser, or null for the one that Playwright has installed, which needs the `packages`. */
export async function findBrowser(packages) {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH && !existsSync(CHROMIUM_PATH)) throw new SetupError(`CHROMIUM_PATH: no file ${CHROMIUM_PATH}`);
  const found =
    CHROMIUM_PATH || find([headlessShell]) || (await installHeadlessShell()) || find(browserNames, browserPaths);
  if (found) return found;
  await packages;
  await runStep({
    name: "browser",
    title: "installing Playwright's Chromium",
    command: process.execPath,
    args: [path.join(root, "node_modules/playwright/cli.js"), "install", "chromium"],
    explain: () => "No browser for the tests. Install Chromium or Chrome, or name one in CHROMIUM_PATH.",
  });
  return null;
}

async function installHeadlessShell() {
  if (!canInstall()) return null;
  await installFromDebian([headlessShell]);
  return find([headlessShell]);
}

function find(names, paths = []) {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const candidates = [...names.flatMap((name) => folders.map((folder) => path.join(folder, name))), ...paths];
  return candidates.find((file) => existsSync(file) && spawnSync(file, ["--version"]).status === 0) ?? null;
}
