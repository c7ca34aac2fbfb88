// Fills the demo's database: carries out 90 days of business, ending now. scripts/demo.mjs runs it.
import { parseEnv } from "@/server/process/env";
import { openDemo } from "./open";

const days = 90;

const demo = await openDemo(parseEnv(process.env), { days, end: Date.now() });
try {
  await demo.fill();
} finally {
  await demo.runtime.close();
}
