// Settings → Organization: what admins decide for all of its users and accounts.
import * as z from "zod";
import { afterLostDisputeRules, catchUpRules, mfaRequirements, organizationModes } from "@/db/schema/values";
import { needsFactor } from "@/server/access/factor";
import { rules } from "@/server/access/rules";
import { schedule } from "@/server/domains/jobs/queue";
import { firstOrganization, lockOrganization, organizationById } from "@/server/domains/organizations/organization";
import { stepUpAmountsOf } from "@/server/domains/organizations/step-up-amounts";
import { type OrganizationRow, updateOrganization } from "@/server/domains/organizations/store";
import { changedValues } from "@/server/domains/records/changes";
import { notifyAdmins } from "@/server/domains/users/notices";
import { findUser } from "@/server/domains/users/store";
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { amount, currency, currencyCode, currentCurrency, locale, timezone, total } from "@/server/kit/fields";
import { userOf } from "@/server/kit/identity";
import { limits } from "@/server/kit/limits";
import { type Fail, operation } from "@/server/kit/operation";
import { organizationName } from "../schema";
import { whoMaySignUp } from "../sign-up";

const settings = z.strictObject({
  organization_id: z.string(),
  name: z.string(),
  mode: z.enum(organizationModes),
  default_currency: z.string().nullable(),
  locale: z.string().nullable(),
  timezone: z.string().nullable(),
  members_record_payments: z.boolean(),
  require_mfa: z.enum(mfaRequirements).describe("Who must have a second factor."),
  catch_up: z.enum(catchUpRules).describe("Which renewals are charged that became due while the server did not run."),
  after_lost_dispute: z
    .enum(afterLostDisputeRules)
    .describe("What becomes of a subscription of which a dispute took a payment back."),
  invoice_retention_years: z
    .int()
    .describe("How many years after the year of their issue invoices and credit notes to an erased customer are kept."),
  step_up_amounts: z.array(z.strictObject({ currency: currencyCode, amount: total })),
  has_own_step_up_amounts: z.boolean().describe("Otherwise those of STEP_UP_AMOUNTS apply."),
  sign_up: z.strictObject({
    policy: z.enum(["open", "invite", "closed"]),
    is_set: z
      .boolean()
      .describe("Whether SIGNUP sets it; otherwise it depends on the mode and on who can reach the server."),
    is_first: z.boolean().describe("Whether a sign-up would join this organization."),
  }),
});

const change = z.strictObject({
  name: organizationName.optional(),
  default_currency: currentCurrency.nullish(),
  locale: locale.nullish(),
  timezone: timezone.nullish(),
  members_record_payments: z.boolean().optional(),
  require_mfa: z.enum(mfaRequirements).optional(),
  catch_up: z.enum(catchUpRules).optional(),
  after_lost_dispute: z.enum(afterLostDisputeRules).optional(),
  invoice_retention_years: z
    .int()
    .min(limits.invoiceRetentionYears.least)
    .max(limits.invoiceRetentionYears.most)
    .optional(),
  /** Null for those of STEP_UP_AMOUNTS. */
  step_up_amounts: z
    .array(z.strictObject({ currency, amount }))
    .max(limits.stepUpAmounts)
    .refine((all) => new Set(all.map((each) => each.currency)).size === all.length, "must name each currency once")
    .nullish(),
});

type Change = z.output<typeof change>;

export const organizationSettings = operation({
  id: "organizations.get",
  summary: "The settings of the organization",
  access: rules["organizations.read"],
  effect: "read",
  input: z.strictObject({}),
  output: settings,
  errors: { insufficient_permissions: 400 },
  run: async ({ ctx }) => present(ctx, await organizationById(ctx.db, ctx.scope.organizationId)),
});

/** What is erased after the years is gone for good, and catching up and going on after a lost dispute charge cards. */
const sensitive = [
  ...(["members_record_payments", "require_mfa", "step_up_amounts", "invoice_retention_years"] as const),
  ...(["catch_up", "after_lost_dispute"] as const),
];

export const updateOrganizationSettings = operation({
  id: "organizations.update",
  summary: "Change the settings of the organization",
  access: rules["organizations.update"],
  accessFor: (input) => {
    const isPlain = sensitive.every((field) => input[field] === undefined);
    return rules[isPlain ? "organizations.update" : "organizations.update.security"];
  },
  effect: "write",
  input: change,
  output: settings,
  errors: { insufficient_permissions: 400, reauthentication_required: 400, mfa_not_set_up: 400 },
  async run({ ctx, input, fail }) {
    await lockOrganization(ctx.db, ctx.scope.organizationId);
    const before = await organizationById(ctx.db, ctx.scope.organizationId);
    await checkOwnFactor(ctx, input, fail);
    const changes = Object.keys(input).length === 0 ? null : columnsOf(input);
    const after = changes ? await updateOrganization(ctx.db, before.id, changes) : before;
    record(ctx, before, after, Object.keys(input).sort());
    if (after.timezone !== before.timezone) {
      const { id } = after;
      await schedule(ctx, { kind: "payments.move_reminders", organizationId: id, objectId: id, dueAt: ctx.now });
    }
    if (after.requireMfa !== before.requireMfa) {
      await notifyAdmins(ctx, after.id, { notice: "factor_requirement_changed" }, userOf(ctx.actor)?.userId);
    }
    return present(ctx, after);
  },
});

/** Refuses with `mfa_not_set_up` an admin who lacks the second factor that the input requires of admins. */
async function checkOwnFactor(
  { db, actor, scope }: WriteContext,
  { require_mfa: required = "none" }: Change,
  fail: Fail<"mfa_not_set_up">,
): Promise<void> {
  const caller = userOf(actor);
  if (caller === null || !needsFactor(required, caller.role)) return;
  const user = await findUser(db, scope.organizationId, caller.userId);
  if (!user?.mfaEnabled) fail("mfa_not_set_up", "require_mfa: set up a second factor of your own first");
}

const columnsOf = ({ name, locale: language, timezone: zone, ...given }: Change) => ({
  ...(name === undefined ? {} : { name }),
  ...(language === undefined ? {} : { locale: language }),
  ...(zone === undefined ? {} : { timezone: zone }),
  ...(given.default_currency === undefined ? {} : { defaultCurrency: given.default_currency }),
  ...(given.members_record_payments === undefined ? {} : { membersRecordPayments: given.members_record_payments }),
  ...(given.require_mfa === undefined ? {} : { requireMfa: given.require_mfa }),
  ...(given.catch_up === undefined ? {} : { catchUp: given.catch_up }),
  ...(given.after_lost_dispute === undefined ? {} : { afterLostDispute: given.after_lost_dispute }),
  ...(given.invoice_retention_years === undefined ? {} : { invoiceRetentionYears: given.invoice_retention_years }),
  ...(given.step_up_amounts === undefined ? {} : { stepUpAmounts: given.step_up_amounts }),
});

/** The audit entry has the settings about money and sign-in. The others are beside it: the name may be a person's. */
function record(ctx: WriteContext, before: OrganizationRow, after: OrganizationRow, fields: readonly string[]): void {
  const amountsOf = (row: OrganizationRow) =>
    stepUpAmountsOf(row, ctx.runtime.env).map(({ currency: code, amount: minor }) => `${code} ${minor}`);
  const detail = {
    fields,
    ...(fields.includes("members_record_payments") ? { members_record_payments: after.membersRecordPayments } : {}),
    ...(fields.includes("require_mfa") ? { require_mfa_before: before.requireMfa, require_mfa: after.requireMfa } : {}),
    ...(fields.includes("catch_up") ? { catch_up_before: before.catchUp, catch_up: after.catchUp } : {}),
    ...(fields.includes("after_lost_dispute")
      ? { after_lost_dispute_before: before.afterLostDispute, after_lost_dispute: after.afterLostDispute }
      : {}),
    ...(fields.includes("invoice_retention_years")
      ? {
          invoice_retention_years_before: before.invoiceRetentionYears,
          invoice_retention_years: after.invoiceRetentionYears,
        }
      : {}),
    ...(fields.includes("step_up_amounts")
      ? { step_up_amounts_before: amountsOf(before), step_up_amounts: amountsOf(after) }
      : {}),
  };
  const kept = ({ name, defaultCurrency, locale: language, timezone: zone }: OrganizationRow) => ({
    ...{ name, default_currency: defaultCurrency, locale: language, timezone: zone },
  });
  const values = changedValues(kept(before), kept(after));
  ctx.audit({ target: after.id, detail, changes: { subject: after.id, values } });
  if (fields.length === 0) return;
  ctx.emit({ type: "organization.updated", object: after.id, data: { organization_id: after.id, fields } });
}

async function present({ db, runtime }: Pick<ReadContext, "db" | "runtime">, row: OrganizationRow) {
  const { env } = runtime;
  const first = await firstOrganization(db);
  return {
    organization_id: row.id,
    name: row.name,
    mode: row.mode,
    default_currency: row.defaultCurrency,
    locale: row.locale,
    timezone: row.timezone,
    members_record_payments: row.membersRecordPayments,
    require_mfa: row.requireMfa,
    catch_up: row.catchUp,
    after_lost_dispute: row.afterLostDispute,
    invoice_retention_years: row.invoiceRetentionYears,
    step_up_amounts: stepUpAmountsOf(row, env),
    has_own_step_up_amounts: row.stepUpAmounts !== null,
    sign_up: { policy: whoMaySignUp(env, row), is_set: env.signup !== null, is_first: first?.id === row.id },
  };
}
