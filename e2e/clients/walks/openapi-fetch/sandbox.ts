// The clock and the events of a sandbox organization, by openapi-fetch.
import { payByForm } from "../../../payer";
import { absent, answered, equal, refused, type Start } from "../walk";
import { type Client, newMember } from "./people";

export async function walkSandbox(start: Start, admin: Client): Promise<void> {
  const { client: member } = await newMember(start);
  refused(await member.GET("/v1/sandbox/clock"), 400, "insufficient_permissions");
  const before = answered(await admin.GET("/v1/sandbox/clock"));
  const moved = answered(await admin.POST("/v1/sandbox/clock", { body: { advance: "PT1H" } }));
  equal([moved.offset_ms - before.offset_ms, moved.running], [3_600_000, false]);
  const backwards = await admin.POST("/v1/sandbox/clock", { body: { set: "2020-01-01T00:00:00Z" } });
  refused(backwards, 400, "clock_backwards");
  await simulate(member, admin);
}

/** Lets the provider capture an authorization, and repeats its events. */
async function simulate(member: Client, admin: Client): Promise<void> {
  const body = { type: "product" as const, amount: 1250, currency: "EUR", capture_method: "manual" as const };
  const { payment_id, payment_url } = answered(await member.POST("/v1/payments", { body }));
  const simulating = (id: string) =>
    admin.POST("/v1/sandbox/payments/{payment_id}/simulate", {
      params: { path: { payment_id: id } },
      body: { event: "capture" },
    });
  const events = (caller: Client) =>
    caller.GET("/v1/sandbox/payments/{payment_id}/events", { params: { path: { payment_id } } });
  refused(await simulating(payment_id), 400, "event_not_possible");
  equal(answered(await events(admin)).events, []);
  refused(await events(member), 400, "insufficient_permissions");
  if (payment_url === null) throw new Error("The payment request has no page.");
  await payByForm(payment_url);
  equal(answered(await events(admin)).events, ["capture"]);
  equal(answered(await simulating(payment_id)).status, "paid");
  refused(await simulating(absent("pay")), 400, "payment_not_found");
  refused(await member.POST("/v1/sandbox/storm"), 400, "insufficient_permissions");
  const storm = answered(await admin.POST("/v1/sandbox/storm", { body: { duplicates: 2 } }));
  equal([storm.sent, storm.changed], [2 * storm.transactions, 0]);
}
