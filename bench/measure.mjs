// One load on one target: its rate and latencies, and its cost for the target's processes.
import { load, usageOf } from "./servers.mjs";

/** Sends the case's requests over `connections` for `seconds`, divided evenly among the target's servers. */
export async function measure({ request }, target, { connections, seconds }) {
  const share = connections / target.servers.length;
  const targets = target.servers.map(({ url }) => request({ ...target, url }, share));
  const before = await Promise.all(target.servers.map(usageOf));
  const result = await load({ targets, connections, seconds });
  const after = await Promise.all(target.servers.map(usageOf));
  const cpu = after.reduce((sum, usage, n) => sum + usage.cpuMicroseconds - before[n].cpuMicroseconds, 0);
  const most = (what) => Math.max(...after.map((usage) => usage[what]));
  const costs = { cpuPerRequest: cpu / result.count, busy: cpu / (result.seconds * 1e6) };
  return { ...result, ...costs, peak: most("peakBytes"), peakEver: most("peakEverBytes") };
}
