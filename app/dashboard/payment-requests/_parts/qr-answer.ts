// Responds with the QR code of a payment request's link, for anyone who may see the payment request.
import { createHash } from "node:crypto";
import { api } from "@/app/_trpc/server";
import { failureOf } from "@/server/pipeline/trpc-router";

type Draw = (link: string) => string | Uint8Array<ArrayBuffer>;
type Context = { params: Promise<{ payment_id: string }> };

/** A route handler that renders the link in one format. */
export const qrAnswer =
  (type: string, draw: Draw) =>
  async (request: Request, { params }: Context) => {
    const { payment_id } = await params;
    try {
      const { payment_url } = await (await api()).payments.get({ payment_id });
      if (payment_url === null) return refuse(404);
      const etag = `"${createHash("sha256").update(payment_url).digest("base64url").slice(0, 22)}"`;
      if (request.headers.get("If-None-Match")?.includes(etag)) return refuse(304, { ...kept, ETag: etag });
      return new Response(draw(payment_url), { headers: { ...kept, "Content-Type": type, ETag: etag } });
    } catch (error) {
      const { code, headers } = failureOf(error);
      if (code === "unauthorized") return refuse(401);
      if (code === "payment_not_found") return refuse(404);
      if (code === "rate_limited") return refuse(429, { ...none, ...headers });
      throw error;
    }
  };

const none = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

/** A link never changes. Each time, the reader must still be allowed to see it. */
const kept = { ...none, "Cache-Control": "private, no-cache" };

const refuse = (status: number, headers: Readonly<Record<string, string>> = none) =>
  new Response(null, { status, headers });
