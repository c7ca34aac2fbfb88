// Reads downloads to their end.
import type { Download } from "@/server/kit/download";

/** The whole file as text. */
export async function textOf({ chunks }: Pick<Download, "chunks">): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += chunk;
  return text;
}

/** The records of a file of JSON lines. */
export const recordsOf = async <Row>(download: Pick<Download, "chunks">): Promise<Row[]> =>
  (await textOf(download))
    .split("\n")
    .slice(0, -1)
    .map((line): Row => JSON.parse(line));
