// The QR code of a payment request's link in the dashboard: for those who see the payment request, and nobody else.
import jsQR from "jsqr";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { finalizePayment } from "@/server/domains/payments/operations/finalize";
import { askMany } from "@/test/link-payer";
import { ask } from "@/test/payer";
import { signInByCookie } from "@/test/signing-in";
import { openWorld, serve, type TestOrganization, type TestUser, type World } from "@/test/world";
import { GET as png } from "./qr.png/route";
import { GET as svg } from "./qr.svg/route";

const sent = vi.hoisted(() => ({ cookie: "" }));
vi.mock("next/headers", () => ({ headers: async () => new Headers({ cookie: sent.cookie }) }));

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ RATE_LIMIT: "40" });
  serve(world);
  org = await world.organization();
});
afterAll(() => world.close());

const as = async (user: TestUser) => {
  sent.cookie = await signInByCookie(world, user);
};
const get = (draw: typeof svg, payment_id: string, headers: Record<string, string> = {}) =>
  draw(new Request("http://localhost/qr", { headers }), { params: Promise.resolve({ payment_id }) });
const bodyOf = async (response: Response) => Buffer.from(await response.arrayBuffer()).toString("latin1");

/** What a camera reads in the image: on white, as printed or shown. */
async function decoded(response: Response): Promise<string | undefined> {
  const image = sharp(Buffer.from(await response.arrayBuffer()), { density: 300 }).flatten({ background: "#fff" });
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data;
}

describe("the QR code of a link", () => {
  it.each([
    ["SVG", svg],
    ["PNG", png],
  ])("leads to the payment page as %s", async (_, draw) => {
    const { payment } = await askMany(world, org.member.actor);
    await as(org.member);
    expect(payment.payment_url).toMatch(/^http/);
    expect(await decoded(await get(draw, payment.payment_id))).toBe(payment.payment_url);
  });

  it.each([
    ["svg", svg, "image/svg+xml", "<svg"],
    ["png", png, "image/png", "PNG"],
  ])("is an image that the browser may keep and must ask about: %s", async (_, draw, type, begin) => {
    const { payment } = await askMany(world, org.member.actor);
    await as(org.member);
    const response = await get(draw, payment.payment_id);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
    expect(response.headers.get("cache-control")).toBe("private, no-cache");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await bodyOf(response)).toContain(begin);
    const etag = response.headers.get("etag") ?? "";
    const again = await get(draw, payment.payment_id, { "if-none-match": etag });
    expect([again.status, await bodyOf(again)]).toEqual([304, ""]);
    const other = await ask(world, org.member.actor);
    const different = await get(draw, other.payment.payment_id, { "if-none-match": etag });
    expect([different.status, different.headers.get("etag") === etag]).toEqual([200, false]);
  });

  it("is not found by others, without a link, or for an unknown id", async () => {
    const { payment } = await askMany(world, org.member.actor);
    const draft = await ask(world, org.member.actor, { draft: true });
    await as(org.other);
    for (const id of [payment.payment_id, "pay_unknown"]) {
      const response = await get(svg, id);
      expect([response.status, response.headers.get("cache-control")]).toEqual([404, "no-store"]);
    }
    await as((await world.organization()).admin);
    expect((await get(svg, payment.payment_id)).status).toBe(404);
    await as(org.member);
    expect((await get(svg, draft.payment.payment_id)).status).toBe(404);
    await world.call(finalizePayment, org.member.actor, { payment_id: draft.payment.payment_id });
    expect((await get(svg, draft.payment.payment_id)).status).toBe(200);
  });

  it("needs a session, and is refused beyond the limit of calls", async () => {
    const { payment } = await askMany(world, org.member.actor);
    for (const cookie of ["", "quittance_session=x"]) {
      sent.cookie = cookie;
      expect((await get(svg, payment.payment_id)).status).toBe(401);
    }
    await as(org.member);
    let last = await get(svg, payment.payment_id);
    for (let i = 0; i < 60 && last.status === 200; i++) last = await get(svg, payment.payment_id);
    expect(last.status).toBe(429);
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
