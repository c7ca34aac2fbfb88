// The QR code behind a pay link: kept by the browser, refused for unknown links, and limited like any page.
import { afterAll, beforeAll, expect, it } from "vitest";
import { askMany } from "@/test/link-payer";
import { appUrl, openPayPages, type PayPages } from "@/test/pay-page";
import { GET } from "./qr.png/route";

let pages: PayPages;
let token: string;
beforeAll(async () => {
  pages = await openPayPages({ RATE_LIMIT: "20" });
  ({ token } = await askMany(pages.world, pages.acme.member.actor));
});
afterAll(() => pages.world.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  GET(new Request(`${appUrl}/pay/${path}`, { headers }));

it.each([
  ["svg", "image/svg+xml", "<svg"],
  ["png", "image/png", "PNG"],
])("is an image that only the browser keeps: %s", async (format, type, begin) => {
  const response = await get(`${token}/qr.${format}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe(type);
  expect(response.headers.get("cache-control")).toBe("private, max-age=3600");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  const etag = response.headers.get("etag") ?? "";
  expect(Buffer.from(await response.arrayBuffer()).toString("latin1")).toContain(begin);
  const again = await get(`${token}/qr.${format}`, { "if-none-match": etag });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

it("is not found for an unknown link", async () => {
  const other = `${token.slice(0, -1)}${token.endsWith("x") ? "y" : "x"}`;
  for (const unknown of ["unknown", other]) expect((await get(`${unknown}/qr.svg`)).status).toBe(404);
});

it("is refused with 429 beyond the limit of calls", async () => {
  let last = await get(`${token}/qr.svg`);
  for (let i = 0; i < 40 && last.status === 200; i++) last = await get(`${token}/qr.svg`);
  expect(last.status).toBe(429);
  expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
});
