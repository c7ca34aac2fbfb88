// Settings → Server: versions, sizes, the last backup and proof, the jobs, the mail server, and what is wrong with each.
import path from "node:path";
import * as z from "zod";
import { dialect } from "@/db/dialect";
import { rules } from "@/server/access/rules";
import { countDeadUpTo } from "@/server/domains/jobs/dead-store";
import { queueFigures } from "@/server/domains/jobs/figures";
import { lastProof, lastProofs } from "@/server/domains/ledger/proof-note";
import { isLive } from "@/server/domains/organizations/organization";
import { hasSeveral } from "@/server/domains/organizations/store";
import type { ReadContext } from "@/server/kit/context";
import { timestamp } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { iso, isoOrNull } from "@/server/process/clock";
import { productVersion } from "@/server/process/version";
import { zoneData } from "@/server/process/zone-data";
import { lastBackup } from "../backup-note";
import {
  healths,
  judgeBackup,
  judgeDatabase,
  judgeDisk,
  judgeJobs,
  judgeMail,
  judgeProof,
  judgeZoneData,
  problems,
} from "../rules";
import { lastFailedMail } from "../store";

const judged = { health: z.enum(healths), problem: z.enum(problems).nullable() };
const bytes = z.int().nullable();

const state = z.strictObject({
  version: z.strictObject({
    ...judged,
    product: z.string(),
    node: z.string(),
    zone_data: z.string().nullable().describe("The release of the time zone database that Node has."),
  }),
  is_shared: z
    .boolean()
    .describe("Whether the server has other organizations too. What would tell about them is then null."),
  database: z.strictObject({
    ...judged,
    engine: z.enum(["sqlite", "postgres"]),
    engine_version: z.string(),
    bytes,
    write_ahead_log_bytes: bytes,
  }),
  disk: z
    .strictObject({ ...judged, bytes, free_bytes: bytes })
    .nullable()
    .describe("Null on PostgreSQL."),
  backup: z.strictObject({
    ...judged,
    made_at: timestamp.nullable(),
    bytes,
    folder: z.string().nullable(),
    is_proved: z.boolean(),
  }),
  proof: z.strictObject({
    ...judged,
    proved_at: timestamp.nullable(),
    covered: z.strictObject({ postings: z.int(), transactions: z.int(), payments: z.int() }).nullable(),
  }),
  jobs: z.strictObject({
    ...judged,
    due: z.int().nullable(),
    due_since: timestamp.nullable(),
    failed: z.int().describe("Of the caller's organization."),
    counted: z.int().describe("No number above counts further than this."),
  }),
  mail: z.strictObject({
    ...judged,
    server: z.string().nullable().describe("Host and port."),
    failed_at: timestamp.nullable().describe("When the organization's newest mail that failed was written."),
  }),
});

export const instanceState = operation({
  id: "instance.state",
  summary: "The state of the server",
  access: rules["instance.read"],
  effect: "read",
  input: z.strictObject({}),
  output: state,
  errors: { insufficient_permissions: 400 },
  async run({ ctx }) {
    const { db, now, scope } = ctx;
    const [isShared, live] = await Promise.all([hasSeveral(db), isLive(db, scope.organizationId)]);
    const place = { now, isLive: live, isSqlite: dialect === "sqlite", isShared };
    const [room, jobs, mail] = await Promise.all([roomOf(ctx, place), jobsOf(ctx, place), mailOf(ctx, place)]);
    return {
      version: {
        ...judgeZoneData(zoneData()),
        product: productVersion(),
        node: process.versions.node,
        zone_data: zoneData(),
      },
      is_shared: isShared,
      ...room,
      ...{ backup: backupOf(ctx, place), proof: proofOf(ctx, place), jobs, mail },
    };
  },
});

type Context = Pick<ReadContext, "db" | "now" | "runtime" | "scope">;
type Place = Parameters<typeof judgeBackup>[1] & { isShared: boolean };
type State = z.input<typeof state>;

async function roomOf({ runtime }: Context, { isShared }: Place): Promise<Pick<State, "database" | "disk">> {
  const { version, writeAheadLogBytes: log, bytes: size, disk } = await runtime.db.facts();
  const own = <T>(value: T) => (isShared ? null : value);
  return {
    database: {
      ...judgeDatabase(log),
      engine: dialect,
      engine_version: version,
      bytes: own(size),
      write_ahead_log_bytes: own(log),
    },
    disk: disk && { ...judgeDisk(disk.freeBytes), bytes: own(disk.bytes), free_bytes: own(disk.freeBytes) },
  };
}

function backupOf({ runtime }: Context, place: Place): State["backup"] {
  const last = lastBackup(runtime.env);
  const { bytes: size = null, file } = (!place.isShared && last) || {};
  return {
    ...judgeBackup(last?.at ?? null, place),
    made_at: isoOrNull(last?.at ?? null),
    bytes: size,
    folder: file === undefined ? null : path.dirname(file),
    is_proved: last?.isProved ?? place.isSqlite,
  };
}

function proofOf({ runtime }: Context, place: Place): State["proof"] {
  const last = lastProof(runtime.env);
  const rows = place.isShared ? undefined : lastProofs(runtime.env).find(({ kind }) => kind === "rows");
  return {
    ...judgeProof(last, place),
    proved_at: isoOrNull(last?.at ?? null),
    covered: rows?.counts ?? null,
  };
}

async function jobsOf({ db, now, scope }: Context, place: Place): Promise<State["jobs"]> {
  const counted = limits.countedJobs;
  const [{ due }, failed] = await Promise.all([
    queueFigures(db, now),
    countDeadUpTo(db, scope.organizationId, counted),
  ]);
  const since = due.length === 0 ? null : Math.min(...due.map((each) => each.since));
  const number = due.reduce((sum, { count }) => sum + count, 0);
  return {
    ...judgeJobs(since, failed, place),
    due: place.isShared ? null : Math.min(number, counted),
    due_since: isoOrNull(since),
    failed,
    counted,
  };
}

async function mailOf({ db, runtime, scope }: Context, place: Place): Promise<State["mail"]> {
  const server = runtime.env.mail?.server ?? null;
  const failedAt = await lastFailedMail(db, scope.organizationId);
  return {
    ...judgeMail(server !== null, failedAt, place),
    server: server && `${server.host}:${server.port}`,
    failed_at: failedAt === null ? null : iso(failedAt),
  };
}
