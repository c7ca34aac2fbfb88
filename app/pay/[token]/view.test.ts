// The first view of a pay page: the visible page reports it, it is recorded once, and following the link is not enough.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { eventTypesOf } from "@/test/events";
import { browser, openPayPages, type PayPages } from "@/test/pay-page";
import { paymentRow } from "@/test/payer";

let pages: PayPages;
beforeAll(async () => {
  pages = await openPayPages();
});
beforeEach(() => pages.world.clock.advance(1000));
afterAll(() => pages.world.close());

const rowOf = (payment: { payment_id: string }) => paymentRow(pages.world, payment.payment_id);
const dashboard = { cookie: "__Host-quittance_session=anything" };

describe("a view", () => {
  it("is recorded once, with its time and an event", async () => {
    const { payment, token } = await pages.newRequest();
    const seenAt = pages.world.clock.now();
    expect((await pages.see(token)).status).toBe(204);
    const row = await rowOf(payment);
    expect(row).toMatchObject({ viewedAt: seenAt, status: "pending", version: 2 });
    pages.world.clock.advance(1000);
    expect((await pages.see(token)).status).toBe(204);
    expect(await rowOf(payment)).toEqual(row);
    expect(await eventTypesOf(pages.world, payment.payment_id)).toEqual(["payment.created", "payment.viewed"]);
  });

  it("is recorded once when several tabs report it at the same time", async () => {
    const { payment, token } = await pages.newRequest();
    const form_token = await pages.formOf(token);
    await Promise.all(Array.from({ length: 8 }, () => pages.post(token, { act: "view", form_token })));
    expect((await rowOf(payment)).version).toBe(2);
    expect(await eventTypesOf(pages.world, payment.payment_id)).toEqual(["payment.created", "payment.viewed"]);
  });

  it("leaves a form that was opened before it valid", async () => {
    const { payment, token } = await pages.newRequest();
    const form_token = await pages.formOf(token);
    await pages.see(token);
    await pages.pay(token);
    expect((await rowOf(payment)).status).toBe("paid");
    expect((await pages.post(token, { act: "view", form_token })).status).toBe(204);
  });

  it("is not recorded when a program only follows the link, or sends no valid form token", async () => {
    const { payment, token } = await pages.newRequest();
    await pages.get(token);
    await pages.get(token, "", { "user-agent": "SafeLinks" });
    expect((await pages.post(token, { act: "view" })).status).toBe(204);
    const { token: other } = await pages.newRequest();
    const form_token = await pages.formOf(other);
    expect((await pages.post(token, { act: "view", form_token })).status).toBe(204);
    expect((await rowOf(payment)).viewedAt).toBeNull();
  });

  it("is not recorded after the payment request was canceled", async () => {
    const { payment, token } = await pages.newRequest();
    const form_token = await pages.formOf(token);
    const { payment_id } = payment;
    await pages.world.call(cancelPayment, pages.acme.admin.actor, { payment_id });
    expect((await pages.post(token, { act: "view", form_token })).status).toBe(204);
    expect((await rowOf(payment)).viewedAt).toBeNull();
  });

  it("is recorded when another process, whose clock is a little behind, gets the report", async () => {
    const { payment, token } = await pages.newRequest();
    const form_token = await pages.formOf(token);
    pages.world.clock.advance(-500);
    expect((await pages.post(token, { act: "view", form_token })).status).toBe(204);
    expect((await rowOf(payment)).viewedAt).not.toBeNull();
  });

  it("is not accepted from other sites, and an unknown link answers like a known one", async () => {
    const { payment, token } = await pages.newRequest();
    expect((await pages.see(token, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await rowOf(payment)).viewedAt).toBeNull();
    const unknown = await pages.post("unknown", { act: "view", form_token: "x" });
    expect([unknown.status, await unknown.text()]).toEqual([204, ""]);
  });

  it("is not recorded in a browser that is signed in to the dashboard", async () => {
    const { payment, token } = await pages.newRequest();
    expect(await (await pages.get(token, "", dashboard)).text()).not.toContain("sendBeacon");
    expect((await pages.see(token, { ...browser, ...dashboard })).status).toBe(204);
    expect((await rowOf(payment)).viewedAt).toBeNull();
  });
});

describe("the script that reports it", () => {
  it("is the only one allowed, is small, and may reach only us", async () => {
    const { token } = await pages.newRequest();
    const response = await pages.get(token);
    const text = await response.text();
    expect(text.match(/<script/g)).toHaveLength(1);
    const script = /<script>([\s\S]*)<\/script>/.exec(text)?.[1] ?? "";
    expect(script.length).toBeGreaterThan(100);
    expect(script.length).toBeLessThan(2048);
    const policy = response.headers.get("content-security-policy");
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[A-Za-z0-9+/=]{44}'; connect-src 'self'; style-src /,
    );
    expect(policy).not.toContain("unsafe");
  });

  it("is absent once the page was seen, and where nothing can be paid", async () => {
    const { token } = await pages.newRequest();
    await pages.see(token);
    const seen = await pages.get(token);
    expect(await seen.text()).not.toContain("sendBeacon");
    expect(seen.headers.get("content-security-policy")).not.toContain("connect-src");
    const { token: short } = await pages.newRequest({
      expires_at: new Date(pages.world.clock.now() + 3_600_000).toISOString(),
    });
    pages.world.clock.advance(3_600_000);
    expect(await (await pages.get(short)).text()).not.toContain("<script");
  });
});
