// What time it is in a sandbox organization.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { findClock } from "@/server/domains/organizations/clock-store";
import { operation } from "@/server/kit/operation";
import { assertSandbox, clock, presentClock } from "../clock";

export const sandboxClock = operation({
  id: "sandbox.clock",
  summary: "Get the sandbox clock",
  description: "What time it is in the organization while it is in the sandbox. A live organization has no such clock.",
  access: rules["sandbox.clock.read"],
  effect: "read",
  rest: { method: "GET", path: "/v1/sandbox/clock", extension: true },
  input: z.strictObject({}),
  output: clock,
  errors: { insufficient_permissions: 400 },
  async run({ ctx }) {
    await assertSandbox(ctx);
    return presentClock(await findClock(ctx.db, ctx.scope.organizationId), ctx.realNow);
  },
});
