// States of a file after a power loss: what was synced is there, each later write may be missing or torn.
import type { FileCall } from "./strace";

/** A disk writes whole sectors. */
const sectorBytes = 512;

/** The content of one file when the power fails right after these calls. */
export function afterPowerLoss(initial: Buffer, calls: readonly FileCall[], random: () => number): Buffer {
  const synced = calls.findLast((call) => call.do === "sync");
  const content = Buffer.alloc(Math.max(initial.length, ...calls.map(endOf)));
  initial.copy(content);
  let size = initial.length;
  for (const call of calls) {
    if (call.do === "sync") continue;
    // A sync covers what had been written when it began. Of the rest, a third each is kept, torn and dropped.
    const isSafe = synced !== undefined && call.endedAt <= synced.begunAt;
    const fate = isSafe ? 0 : random() * 3;
    if (fate >= 2) continue;
    if (call.do === "truncate") {
      content.fill(0, call.size);
      size = call.size;
      continue;
    }
    const data = fate < 1 ? call.data : torn(call.data, random);
    data.copy(content, call.offset);
    if (data.length > 0) size = Math.max(size, call.offset + data.length);
  }
  return content.subarray(0, size);
}

/** The first sectors of a write, perhaps none. */
const torn = (data: Buffer, random: () => number): Buffer =>
  data.subarray(0, sectorBytes * Math.floor(random() * Math.ceil(data.length / sectorBytes)));

function endOf(call: FileCall): number {
  if (call.do === "write") return call.offset + call.data.length;
  return call.do === "truncate" ? call.size : 0;
}
