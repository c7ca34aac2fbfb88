// The clock of a sandbox organization, by openapi-fetch.
import { answered, equal, refused, type Start } from "../walk";
import { type Client, newMember } from "./people";

export async function walkSandbox(start: Start, admin: Client): Promise<void> {
  const { client: member } = await newMember(start);
  refused(await member.GET("/v1/sandbox/clock"), 400, "insufficient_permissions");
  const before = answered(await admin.GET("/v1/sandbox/clock"));
  const moved = answered(await admin.POST("/v1/sandbox/clock", { body: { advance: "PT1H" } }));
  equal([moved.offset_ms - before.offset_ms, moved.running], [3_600_000, false]);
  const backwards = await admin.POST("/v1/sandbox/clock", { body: { set: "2020-01-01T00:00:00Z" } });
  refused(backwards, 400, "clock_backwards");
}
