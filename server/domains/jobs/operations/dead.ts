// Dead jobs: the organization lists and retries them.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { pageOf } from "@/server/kit/page";
import { exactly } from "@/server/kit/totals";
import { iso } from "@/server/process/clock";
import { countDead, listDead } from "../dead-store";
import { type JobRow, reviveJob, reviveJobs } from "../store";

const job = z.strictObject({
  job_id: z.string(),
  kind: z.string(),
  object_id: z.string(),
  failures: z.int(),
  last_error: z.string().nullable(),
  created_at: fields.timestamp,
  died_at: fields.timestamp,
});

const present = (row: JobRow): z.input<typeof job> => ({
  job_id: row.id,
  kind: row.kind,
  object_id: row.objectId,
  failures: row.failures,
  last_error: row.lastError,
  created_at: iso(row.createdAt),
  died_at: iso(row.updatedAt),
});

export const deadJobs = operation({
  id: "jobs.dead",
  summary: "List dead jobs",
  access: rules["jobs.read"],
  effect: "read",
  input: z.strictObject(fields.listParameters),
  output: fields.page(job),
  errors: { insufficient_permissions: 400, invalid_cursor: 400 },
  async run({ ctx, input, fail }) {
    const { organizationId } = ctx.scope;
    return pageOf(ctx.runtime.keys, input, fail, {
      list: "jobs.dead",
      // Sorted by the time of failure, latest first, so the cursor holds that time as `createdAt`.
      rows: async (after, limit) =>
        (await listDead(ctx.db, organizationId, { after, limit })).map((row) => ({
          id: row.id,
          createdAt: row.updatedAt,
          row,
        })),
      total: () => exactly(countDead(ctx.db, organizationId)),
      present: (rows) => rows.map(({ row }) => present(row)),
    });
  },
});

export const retryJob = operation({
  id: "jobs.retry",
  summary: "Retry a dead job",
  access: rules["jobs.manage"],
  effect: "write",
  input: z.strictObject({ job_id: fields.id("job", "The job.") }),
  output: z.strictObject({ job_id: z.string() }),
  errors: { insufficient_permissions: 400, job_not_found: 400 },
  async run({ ctx, input, fail }) {
    const row = await reviveJob(ctx.db, ctx.scope.organizationId, input.job_id, ctx.now);
    if (!row) return fail("job_not_found");
    ctx.audit({ target: row.objectId, detail: { job: row.id, kind: row.kind } });
    return { job_id: row.id };
  },
});

export const retryAllJobs = operation({
  id: "jobs.retryAll",
  summary: "Retry all dead jobs",
  access: rules["jobs.manage"],
  effect: "write",
  input: z.strictObject({}),
  output: z.strictObject({
    count: z.int().describe("How many jobs are retried."),
    has_more: z.boolean().describe("Whether more are left: one call retries a limited number."),
  }),
  errors: { insufficient_permissions: 400 },
  async run({ ctx }) {
    const { organizationId } = ctx.scope;
    const count = await reviveJobs(ctx.db, organizationId, limits.jobsRetried, ctx.now);
    ctx.audit({ target: organizationId, detail: { count } });
    return { count, has_more: (await countDead(ctx.db, organizationId)) > 0 };
  },
});
