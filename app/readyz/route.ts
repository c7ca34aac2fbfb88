// GET /readyz: the database answers and the process takes requests. Send no traffic while this fails.
import { isDraining } from "@/server/kit/lifecycle";
import { runtime } from "@/server/kit/runtime";

export const dynamic = "force-dynamic";

const ANSWER_WITHIN_MS = 1_000;

export async function GET(): Promise<Response> {
  const status = await readiness();
  return Response.json(
    { status },
    { status: status === "ready" ? 200 : 503, headers: { "Cache-Control": "no-store" } },
  );
}

/** Opening the runtime migrates the database, so an answer also means that the schema is the newest. */
async function readiness(): Promise<"ready" | "stopping" | "database_unavailable"> {
  if (isDraining()) return "stopping";
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), ANSWER_WITHIN_MS);
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
