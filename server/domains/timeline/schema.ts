// Wire schemas of the audit log: the entry, and the filters of listing and exporting.
import * as z from "zod";
import { idOut, instantOrDay, listParameters, spreadsheetLocale, text, timestamp } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";

const anyId = (description: string, example: string) => text(limits.id).optional().meta({ description, example });

const filters = {
  actor_id: anyId("The user or API key that acted.", "usr_01kacz7q4v8n2j5s6t3w9x0y1r"),
  action: text(limits.auditAction).optional().meta({ description: "An operation.", example: "api_keys.create" }),
  target_id: anyId("What was acted on.", "acct_01kacz7q4v8n2j5s6t3w9x0y1r"),
  created_from: instantOrDay.optional().meta({ description: "Inclusive." }),
  created_to: instantOrDay.optional().meta({ description: "Exclusive." }),
  q: text(limits.searchText).optional().meta({
    description: "A full identifier, an IP address, or the beginning of an operation's name.",
    example: "api_keys",
  }),
};

export const auditListInput = z.strictObject({ ...filters, ...listParameters });
export const auditExportInput = z.strictObject({ ...filters, spreadsheet_locale: spreadsheetLocale });

export const auditEntry = z
  .strictObject({
    audit_entry_id: idOut("aud", "The entry."),
    actor: z
      .strictObject({
        type: z.enum(["anonymous", "user", "api_key", "system"]),
        id: z.string().nullable(),
        name: z.string().nullable().meta({ description: "Null if there is none, or the user has been removed." }),
      })
      .meta({ description: "Who acted." }),
    action: z.string().meta({ description: "The operation.", example: "api_keys.create" }),
    target_id: z.string().nullable(),
    detail: z.record(z.string(), z.unknown()).meta({
      description:
        "Identifiers, codes, names of fields and amounts. `outcome` says why a call was refused. `changes` has personal " +
        "values before and after, by field; they are null once they have been erased.",
    }),
    ip: z.string().nullable().meta({ description: "An address, or the block of addresses of counted refusals." }),
    user_agent: z.string().nullable(),
    request_id: z.string(),
    created_at: timestamp,
  })
  .meta({ id: "AuditEntry", description: "A record of who did what. It cannot be changed or deleted." });

export type AuditEntry = z.infer<typeof auditEntry>;

/** The filters as queries use them. */
export type AuditFilters = Pick<
  z.output<typeof auditExportInput>,
  "actor_id" | "target_id" | "created_from" | "created_to" | "q"
> & { actions: readonly string[] | undefined };
