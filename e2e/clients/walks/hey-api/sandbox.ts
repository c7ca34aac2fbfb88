// The clock and the events of a sandbox organization, by the client of @hey-api/openapi-ts.
import { payByForm } from "../../../payer";
import {
  paymentsCreate,
  sandboxClock,
  sandboxEvents,
  sandboxMoveClock,
  sandboxSimulate,
  sandboxStorm,
} from "../../generated/hey-api";
import type { Client } from "../../generated/hey-api/client";
import { absent, answered, equal, refused, type Start } from "../walk";
import { newMember } from "./people";

export async function walkSandbox(start: Start, client: Client): Promise<void> {
  const { client: member } = await newMember(start);
  refused(await sandboxClock({ client: member }), 400, "insufficient_permissions");
  const before = answered(await sandboxClock({ client }));
  const moved = answered(await sandboxMoveClock({ client, body: { advance: "PT1H" } }));
  equal([moved.offset_ms - before.offset_ms, moved.running], [3_600_000, false]);
  refused(await sandboxMoveClock({ client, body: { set: "2020-01-01T00:00:00Z" } }), 400, "clock_backwards");
  await simulate(member, client);
}

/** Lets the provider capture an authorization, and repeats its events. */
async function simulate(member: Client, client: Client): Promise<void> {
  const body = { type: "product" as const, amount: 1250, currency: "EUR", capture_method: "manual" as const };
  const { payment_id, payment_url } = answered(await paymentsCreate({ client: member, body }));
  const call = { client, path: { payment_id }, body: { event: "capture" as const } };
  refused(await sandboxSimulate(call), 400, "event_not_possible");
  equal(answered(await sandboxEvents({ client, path: { payment_id } })).events, []);
  refused(await sandboxEvents({ client: member, path: { payment_id } }), 400, "insufficient_permissions");
  if (payment_url === null) throw new Error("The payment request has no page.");
  await payByForm(payment_url);
  equal(answered(await sandboxEvents({ client, path: { payment_id } })).events, ["capture"]);
  equal(answered(await sandboxSimulate(call)).status, "paid");
  refused(await sandboxSimulate({ ...call, path: { payment_id: absent("pay") } }), 400, "payment_not_found");
  refused(await sandboxStorm({ client: member }), 400, "insufficient_permissions");
  const storm = answered(await sandboxStorm({ client, body: { duplicates: 2 } }));
  equal([storm.sent, storm.changed], [2 * storm.transactions, 0]);
}
