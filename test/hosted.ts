// Requests for hosted pages in tests, without a server: as a browser sends them, from a page of ours.
import { answerHosted } from "@/server/hosted/serve";
import { newNotes } from "@/server/kit/request-notes";
import type { World } from "./world";

/** Requests a page, or posts its form. `site` is the value of `Sec-Fetch-Site`, `cookie` that of `Cookie`. */
export function askHosted(
  { runtime }: Pick<World, "runtime">,
  method: "GET" | "POST",
  url: string,
  fields: Record<string, string> = {},
  { site = "same-origin", ip = "203.0.113.7", cookie }: { site?: string; ip?: string; cookie?: string } = {},
) {
  const headers = new Map([
    ["sec-fetch-site", site],
    ["content-type", "application/x-www-form-urlencoded"],
  ]);
  if (cookie !== undefined) headers.set("cookie", cookie);
  const request = {
    method,
    url,
    peerAddress: ip,
    signal: new AbortController().signal,
    notes: newNotes(),
    headers: { get: (name: string) => headers.get(name) ?? null },
    body: (async function* () {
      if (method === "POST") yield Buffer.from(new URLSearchParams(fields).toString());
    })(),
  };
  return answerHosted(request, runtime);
}
