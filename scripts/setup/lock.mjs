// Keeps two set-ups out of one checkout: a lock folder with the id of the process that holds it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { inProject } from "./project.mjs";
import { say } from "./step.mjs";

const FOLDER = inProject(".setup", "lock");
const PID_FILE = inProject(".setup", "lock", "pid");
const POLL_MS = 500;
/** A holder writes its id within a moment of making the folder. */
const NAMELESS_MS = 3_000;

/** Does `work` while no other process does the same in this checkout; waits for one that does. */
export async function underLock(work) {
  await acquire();
  const release = () => rmSync(FOLDER, { recursive: true, force: true });
  process.once("exit", release);
  try {
    return await work();
  } finally {
    process.removeListener("exit", release);
    release();
  }
}

async function acquire() {
  mkdirSync(inProject(".setup"), { recursive: true });
  let announced = false;
  let namelessSince = null;
  while (!tryAcquire()) {
    const holder = holderOfLock();
    namelessSince = holder === null ? (namelessSince ?? Date.now()) : null;
    const isAbandoned = holder === null ? Date.now() - namelessSince > NAMELESS_MS : !isRunning(holder);
    if (isAbandoned) {
      rmSync(FOLDER, { recursive: true, force: true });
      continue;
    }
    if (!announced) say(`waiting for another set-up of this folder (process ${holder ?? "just starting"})`);
    announced = true;
    await sleep(POLL_MS);
  }
}

function tryAcquire() {
  try {
    mkdirSync(FOLDER);
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
  writeFileSync(PID_FILE, String(process.pid));
  return true;
}

function holderOfLock() {
  try {
    return Number(readFileSync(PID_FILE, "utf8")) || null;
  } catch {
    return null;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
