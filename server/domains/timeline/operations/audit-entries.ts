// GET /v1/audit_entries: the audit log of the organization; and the same as a file, for the dashboard.
import { rules } from "@/server/access/rules";
import { timeZoneOf } from "@/server/domains/accounts/record-export";
import { inTurn } from "@/server/fairness/turns";
import type { ReadContext } from "@/server/kit/context";
import { csvLine, type Dialect, dialectOf } from "@/server/kit/csv";
import { download, openDownload } from "@/server/kit/download";
import { page } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { type Found, lookThrough } from "@/server/kit/look-through";
import { operation } from "@/server/kit/operation";
import { type Position, pageOf } from "@/server/kit/page";
import { periodName } from "@/server/kit/period-name";
import { totalOf } from "@/server/kit/totals";
import { auditSources, presentEntries } from "../audit-log";
import type { AuditLogRow } from "../audit-store";
import { type AuditEntry, auditEntry, auditExportInput, auditListInput } from "../schema";

export const listAuditEntries = operation({
  id: "auditEntries.list",
  summary: "List audit entries",
  description:
    "Who did what in the organization, newest first, refused calls and sign-ins included. Beyond a limit, refusals " +
    "are counted by minute and address instead, as `calls.refused`. Entries of no organization, such as a sign-in " +
    "with an unknown address, are listed while the instance has only one organization.",
  access: rules["audit.read"],
  effect: "read",
  rest: { method: "GET", path: "/v1/audit_entries", extension: true },
  input: auditListInput,
  output: page(auditEntry),
  errors: { insufficient_permissions: 400, invalid_cursor: 400 },
  async run({ ctx, input, fail }) {
    const { limit: _limit, cursor: _cursor, include_total: _total, total_max: _max, ...filters } = input;
    const sources = await auditSources(ctx, filters);
    return pageOf(ctx.runtime.keys, input, fail, {
      list: "audit_entries",
      rows: (position, limit) => lookThrough(ctx.request, sources, position, limit),
      total: (search) => totalOf(ctx, search, sources),
      present: (rows) => presentEntries(ctx, rows),
    });
  },
});

export const exportAuditEntries = operation({
  id: "auditEntries.export",
  summary: "Export audit entries",
  description: "Streams all matching entries as CSV, newest first.",
  access: rules["audit.read"],
  effect: "read",
  isAudited: true,
  input: auditExportInput,
  output: download,
  errors: { insufficient_permissions: 400 },
  async run({ ctx, input: { spreadsheet_locale: locale, ...filters } }) {
    const period = { from: filters.created_from, to: filters.created_to };
    const name = periodName(period, ctx.now, await timeZoneOf(ctx));
    const file = { contentType: "text/csv; charset=utf-8", fileName: `audit-log-${name}.csv` };
    return openDownload(ctx, file, () => linesOf(ctx, filters, dialectOf(locale)));
  },
});

const columns = [
  ...["audit_entry_id", "created_at", "actor_type", "actor_id", "actor_name", "action", "target_id", "detail"],
  ...["ip", "user_agent", "request_id"],
];

const cellsOf = ({ actor, detail, ...entry }: AuditEntry): (string | null)[] => [
  ...[entry.audit_entry_id, entry.created_at, actor.type, actor.id, actor.name, entry.action, entry.target_id],
  ...[JSON.stringify(detail), entry.ip, entry.user_agent, entry.request_id],
];

/** All matches, part by part. Only the position is kept from one part to the next. */
async function* linesOf(
  ctx: ReadContext,
  filters: Parameters<typeof auditSources>[1],
  dialect: Dialect,
): AsyncGenerator<string> {
  let head = dialect.start + csvLine(columns, dialect);
  let position: Position | null = null;
  do {
    const sources = await inTurn(ctx.request, () => auditSources(ctx, filters));
    const { partRows, partBytes } = limits.download;
    const found: Found<AuditLogRow> = await lookThrough(ctx.request, sources, position, partRows, partBytes);
    position = found.reached;
    const entries = await presentEntries(ctx, found.rows);
    yield head + entries.map((entry) => csvLine(cellsOf(entry), dialect)).join("");
    head = "";
  } while (position !== null);
}
