// Lets only one set-up of a checkout run at a time: a lock folder with the id of the process that owns it.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inProject } from "./project.mjs";
import { say } from "./step.mjs";

const lockFolder = inProject(".setup", "lock");
const pollMs = 500;
/** An owner writes its id within a moment of creating the folder. */
const namelessMs = 3_000;

/** Runs `work` while no other process does the same in this checkout, waiting for one that does. */
export async function underLock(work) {
  await acquire();
  const release = () => rmSync(lockFolder, { recursive: true, force: true });
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
    const isAbandoned = holder === null ? Date.now() - namelessSince > namelessMs : !isRunning(holder);
    if (isAbandoned) {
      removeAbandoned(holder);
      continue;
    }
    if (!announced) say(`waiting for another set-up of this folder (process ${holder ?? "just starting"})`);
    announced = true;
    await sleep(pollMs);
  }
}

function tryAcquire() {
  try {
    mkdirSync(lockFolder);
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
  writeFileSync(path.join(lockFolder, "pid"), String(process.pid));
  return true;
}

/** Renames first, because another process that saw the same abandoned lock may have replaced it since. */
function removeAbandoned(holder) {
  const aside = `${lockFolder}.${process.pid}`;
  try {
    renameSync(lockFolder, aside);
  } catch {
    return;
  }
  if (holderOfLock(aside) === holder) rmSync(aside, { recursive: true, force: true });
  else renameSync(aside, lockFolder);
}

function holderOfLock(folder = lockFolder) {
  try {
    return Number(readFileSync(path.join(folder, "pid"), "utf8")) || null;
  } catch {
    return null;
  }
}

function isRunning(pid) {
  // An earlier process had this process's id: in a container, the same program gets the same one each time.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
