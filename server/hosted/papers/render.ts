// Draws papers in a thread of their own, because a long one takes tens of milliseconds.
import { join } from "node:path";
import { Piscina } from "piscina";
import { Places } from "@/server/fairness/places";
import { protocolFailure } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";
import { addressBlock } from "@/server/kit/peer";
import type { Drawn, Paper } from "./paper";

const places = new Places(limits.papersAtOnce);

const openPool = () =>
  new Piscina({
    filename: join(process.cwd(), "server/hosted/papers/paper-worker.cjs"),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 60_000,
    niceIncrement: process.platform === "linux" ? 10 : 0,
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 },
  });

const slot = Symbol.for("quittance.papers");
type Shared = typeof globalThis & { [slot]?: Piscina };

// One pool per process, even where this module is bundled twice.
const shared = globalThis as Shared;
shared[slot] ??= openPool();
const pool = shared[slot];

/** The paper as a PDF file. Refuses with `rate_limited` if too many wait, here or of this address. */
export async function render(paper: Paper, ip: string | null): Promise<Drawn> {
  const release = places.take(addressBlock(ip));
  if (release === null) {
    throw protocolFailure("rate_limited", "Too many papers are being made.", { "Retry-After": "1" });
  }
  try {
    return await pool.run(paper);
  } finally {
    release();
  }
}
