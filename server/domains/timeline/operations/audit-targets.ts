// The names of the targets of audit entries, for the audit log in the dashboard.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { namesOfTargets } from "../target-store";

export const auditTargets = operation({
  id: "auditEntries.targets",
  summary: "Names of the targets of audit entries",
  description: "Leaves out targets that do not exist, belong to another organization or have no name.",
  access: rules["audit.read"],
  effect: "read",
  input: z.strictObject({ target_ids: z.array(z.string().max(limits.id)).max(limits.page.max) }),
  output: z.strictObject({ data: z.array(z.strictObject({ target_id: z.string(), name: z.string() })) }),
  errors: { insufficient_permissions: 400 },
  async run({ ctx, input }) {
    const names = await namesOfTargets(ctx.db, ctx.scope.organizationId, input.target_ids);
    return { data: names.map(({ id, name }) => ({ target_id: id, name })) };
  },
});
