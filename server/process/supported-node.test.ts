// Every program names the Node that it needs before it loads anything compiled.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { isInRanges } from "@/scripts/setup/node.mjs";
import { isSupportedNode } from "./supported-node";

const { engines } = JSON.parse(readFileSync("package.json", "utf8"));

it.each(["20.20.2", "21.7.3", "22.13.0", "22.19.9", "22.20.0", "22.23.5", "23.11.1", "24.0.0", "26.12.1"])(
  "agrees with package.json about %s",
  (version) => {
    expect(isSupportedNode(version)).toBe(isInRanges(version, engines.node));
  },
);

it.each(["server/main.ts", "server/worker.ts", "server/cli.ts"])("is the first import of %s", (program) => {
  expect(/^import .*/m.exec(readFileSync(program, "utf8"))?.[0]).toBe('import "@/server/process/supported-node";');
});

it.each(["20.20.2", "22.13.0"])("ends with a sentence on %s", async (version) => {
  const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`;
  const args = ["--import", preload, "--import", "tsx", "server/process/supported-node.ts"];
  const run = promisify(execFile)(process.execPath, args);
  await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("Node 22.20 or a later 22") });
});
