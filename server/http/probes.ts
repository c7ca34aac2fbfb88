// What supervisors and load balancers ask: is the process alive, does it take work. Answered before any limit of callers.
import { isDraining } from "@/server/process/lifecycle";
import { runtime } from "@/server/process/runtime";

const READY_WITHIN_MS = 1_000;

export interface ProbeAnswer {
  httpStatus: 200 | 503;
  status: "ok" | "ready" | "stopping" | "database_unavailable";
}

export const probePaths = ["/healthz", "/readyz"] as const;
export type ProbePath = (typeof probePaths)[number];

export const isProbePath = (path: string): path is ProbePath => (probePaths as readonly string[]).includes(path);

/** `/healthz`: the process is alive, restart it otherwise. `/readyz`: it takes requests, send none otherwise. */
export async function answerProbe(path: ProbePath): Promise<ProbeAnswer> {
  if (path === "/healthz") return { httpStatus: 200, status: "ok" };
  const status = await readiness();
  return { httpStatus: status === "ready" ? 200 : 503, status };
}

/** Opening the runtime migrates the database, so an answer also means that the schema is the newest. */
async function readiness(): Promise<ProbeAnswer["status"]> {
  if (isDraining()) return "stopping";
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), READY_WITHIN_MS);
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
