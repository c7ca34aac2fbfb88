// The clock of a sandbox organization, by the client of @hey-api/openapi-ts.
import { sandboxClock, sandboxMoveClock } from "../../generated/hey-api";
import type { Client } from "../../generated/hey-api/client";
import { answered, equal, refused, type Start } from "../walk";
import { newMember } from "./people";

export async function walkSandbox(start: Start, client: Client): Promise<void> {
  const { client: member } = await newMember(start);
  refused(await sandboxClock({ client: member }), 400, "insufficient_permissions");
  const before = answered(await sandboxClock({ client }));
  const moved = answered(await sandboxMoveClock({ client, body: { advance: "PT1H" } }));
  equal([moved.offset_ms - before.offset_ms, moved.running], [3_600_000, false]);
  refused(await sandboxMoveClock({ client, body: { set: "2020-01-01T00:00:00Z" } }), 400, "clock_backwards");
}
