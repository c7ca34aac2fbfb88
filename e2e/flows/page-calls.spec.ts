// The calls that pages make: accepted only from our own pages, bounded, and read-only by GET.
import { expect, test } from "../fixtures";
import { firstAdmin, startServer } from "../server";

test.describe("calls from pages", () => {
  const data = { email: firstAdmin.email, password: firstAdmin.password };

  test("are accepted only from our own pages", async ({ request, server }) => {
    const send = (headers: Record<string, string>) => request.post("/api/trpc/sessions.signIn", { data, headers });
    const strangers: Record<string, string>[] = [
      {},
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { Origin: server.url, "Sec-Fetch-Site": "cross-site" },
      { Origin: server.url, "Sec-Fetch-Site": "same-site" },
    ];
    for (const headers of strangers) {
      const refused = await send(headers);
      expect(refused.status()).toBe(403);
      expect(refused.headers()["set-cookie"]).toBeUndefined();
    }
    const accepted = await send({ "Sec-Fetch-Site": "same-origin" });
    expect(accepted.status()).toBe(200);
    expect(accepted.headers()["set-cookie"]).toMatch(
      /^quittance_session=qtcs_\w+; Path=\/; .*HttpOnly; SameSite=Lax$/m,
    );
    expect((await send({ Origin: server.url })).status()).toBe(200);
  });

  test("change nothing by GET", async ({ request }) => {
    const input = encodeURIComponent(JSON.stringify(data));
    const refused = await request.get(`/api/trpc/sessions.signIn?input=${input}`);
    expect(refused.status()).toBe(405);
    expect(refused.headers()["set-cookie"]).toBeUndefined();
    expect((await request.get("/api/trpc/sessions.nothing")).status()).toBe(404);
  });

  test("are bounded like the REST interface", async ({ request, server }) => {
    const headers = { Origin: server.url, "Content-Type": "application/json" };
    const send = (body: string) => request.post("/api/trpc/sessions.signIn", { data: Buffer.from(body), headers });
    expect((await send(`{"email":"${"x".repeat(70_000)}"}`)).status()).toBe(413);
    expect((await send('{"email":')).status()).toBe(400);
    expect((await send('{"email":"a\\u0000@example.com","password":"x"}')).status()).toBe(400);
  });

  test("are refused with 429 beyond the rate limit", async ({ request }) => {
    const own = await startServer({ engine: "sqlite", env: { RATE_LIMIT: "5" } });
    try {
      const headers = { "Sec-Fetch-Site": "same-origin" };
      expect((await request.post(`${own.url}/api/trpc/sessions.signIn`, { data, headers })).status()).toBe(200);
      const statuses: number[] = [];
      for (let i = 0; i < 8; i++) statuses.push((await request.get(`${own.url}/api/trpc/users.current`)).status());
      expect(statuses).toEqual([...Array(5).fill(200), ...Array(3).fill(429)]);
    } finally {
      await own.stop();
    }
  });

  test("accept only the cookie, never an access token", async ({ request, adminToken }) => {
    const answer = await request.get("/api/trpc/users.current?input=%7B%7D", {
      headers: { Authorization: `Bearer ${adminToken}` },
    });
    expect(answer.status()).toBe(401);
  });
});
