// The program behind npm run upgrade:test: <folder of the built release> <rows>. DATABASE_URL chooses the engine.
import { dialect } from "@/db/dialect";
import { upgradeUnderLoad } from "./upgrade";

const [folder, rows] = process.argv.slice(2);
if (folder === undefined || rows === undefined) throw new Error("Usage: run.ts <folder> <rows>");
// Few rows are for a quick run.
const load = Number(rows) >= 10_000 ? { callers: 16, phase: 500 } : { callers: 4, phase: 10 };
console.log({ engine: dialect, ...(await upgradeUnderLoad(folder, { rows: Number(rows), ...load })) });
