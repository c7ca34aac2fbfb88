// Papers as files: their headers, and the logo that is drawn on them.
import type { HttpReply } from "@/server/http/exchange";
import { protectiveHeaders } from "@/server/kit/protective-headers";
import { failureOf } from "@/server/pipeline/trpc-router";

/**
 * The PDF file under this name, in ASCII. Saved, not shown in place: viewers of PDF files in browsers need more than our
 * policy grants.
 */
export const fileReply = (bytes: Uint8Array<ArrayBuffer>, name: string): HttpReply => ({
  status: 200,
  headers: {
    ...protectiveHeaders,
    "Content-Type": "application/pdf",
    "Content-Disposition": `attachment; filename="${name}.pdf"`,
    "X-Robots-Tag": "noindex, nofollow",
    "Cross-Origin-Resource-Policy": "same-origin",
  },
  body: null,
  bytes,
});

/** The account's logo in base64; null without one, or if it was replaced in this moment. */
export async function logoOf(
  { logo_path }: { logo_path: string | null },
  view: (input: { hash: string }) => Promise<{ image: string }>,
): Promise<string | null> {
  const hash = /([0-9a-f]{64})/.exec(logo_path ?? "")?.[1];
  if (hash === undefined) return null;
  try {
    return (await view({ hash })).image;
  } catch (error) {
    if (failureOf(error).code === "logo_not_found") return null;
    throw error;
  }
}
