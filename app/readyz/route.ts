// GET /readyz when another host of Next serves the app; our own server responds itself.
import { answerProbe } from "@/server/http/probes";

export const dynamic = "force-dynamic";

export async function GET(): Promise<Response> {
  const { httpStatus, status } = await answerProbe("/readyz");
  return Response.json({ status }, { status: httpStatus, headers: { "Cache-Control": "no-store" } });
}
