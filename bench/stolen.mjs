// How much processor time went to other virtual machines. The larger this share, the less the figures mean.
import { readFileSync } from "node:fs";

/** Starts measuring. Returns a function for the share so far, from 0 to 1, or null if the system does not report it. */
export function watchStolen() {
  const before = ticks();
  return () => {
    const now = ticks();
    if (!before || !now) return null;
    return (now.stolen - before.stolen) / (now.all - before.all);
  };
}

/**
 * Since the system started, from the first line of proc_stat(5): user, nice, system, idle, iowait, irq, softirq, steal,
 * ...
 */
function ticks() {
  try {
    const [line] = readFileSync("/proc/stat", "utf8").split("\n");
    const [user, nice, system, idle, wait, irq, softirq, stolen] = line.split(/\s+/).slice(1).map(Number);
    return { stolen, all: user + nice + system + idle + wait + irq + softirq + stolen };
  } catch {
    return null;
  }
}
