// Responds with the QR code of a payment request's link, for anyone who may see the payment request.
import { api } from "@/app/_trpc/server";
import { failureOf } from "@/server/pipeline/trpc-router";

/** A light margin of four modules, as ISO/IEC 18004 requires, on dark pages too; readable with 7 % of it covered. */
const options = { margin: 4, errorCorrectionLevel: "M" } as const;

type Draw = (link: string, shared: typeof options) => Promise<string | Buffer>;
type Context = { params: Promise<{ payment_id: string }> };

/** A route handler that renders the link in one format. */
export const qrAnswer =
  (type: string, draw: Draw) =>
  async (_request: Request, { params }: Context) => {
    const { payment_id } = await params;
    try {
      const { payment_url } = await (await api()).payments.get({ payment_id });
      if (payment_url === null) return refuse(404);
      const image = await draw(payment_url, options);
      const body = typeof image === "string" ? image : new Uint8Array(image);
      return new Response(body, { headers: { "Content-Type": type, "Cache-Control": "no-store" } });
    } catch (error) {
      const { code } = failureOf(error);
      if (code === "unauthorized") return refuse(401);
      if (code === "payment_not_found") return refuse(404);
      throw error;
    }
  };

const refuse = (status: number) => new Response(null, { status, headers: { "Cache-Control": "no-store" } });
