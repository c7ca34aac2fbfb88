// Health checks for supervisors and load balancers: is the process alive, is it ready. Answered before any rate limit.
import { isDraining } from "@/server/process/lifecycle";
import { runtime } from "@/server/process/runtime";
import { zoneData } from "@/server/process/zone-data";

const readyWithinMs = 1_000;

export interface ProbeAnswer {
  httpStatus: 200 | 503;
  status: "ok" | "ready" | "stopping" | "database_unavailable";
  /** Of `/readyz`: the release of the time zone data that this process has; null without one. */
  zoneData?: string | null;
}

const probePaths = ["/healthz", "/readyz"] as const;
type ProbePath = (typeof probePaths)[number];

/** Whether the path is that of a health check. */
export const isProbePath = (path: string): path is ProbePath => (probePaths as readonly string[]).includes(path);

/** `/healthz`: the process is alive, or else must be restarted. `/readyz`: it takes requests, or else must get none. */
export async function answerProbe(path: ProbePath): Promise<ProbeAnswer> {
  if (path === "/healthz") return { httpStatus: 200, status: "ok" };
  const status = await readiness();
  return { httpStatus: status === "ready" ? 200 : 503, status, zoneData: zoneData() };
}

/** Opening the runtime migrates the database, so success also means that the schema is current. */
async function readiness(): Promise<ProbeAnswer["status"]> {
  if (isDraining()) return "stopping";
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), readyWithinMs);
  });
  try {
    await Promise.race([runtime().then(({ db }) => db.ping()), late]);
    return "ready";
  } catch {
    return "database_unavailable";
  } finally {
    clearTimeout(timer);
  }
}
