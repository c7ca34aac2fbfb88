// Settings → Organization: what admins decide for all of its users and accounts.
import * as z from "zod";
import { organizationModes } from "@/db/schema/values";
import { rules } from "@/server/access/rules";
import { firstOrganization, lockOrganization, organizationById } from "@/server/domains/organizations/organization";
import { stepUpAmountsOf } from "@/server/domains/organizations/step-up-amounts";
import { type OrganizationRow, updateOrganization } from "@/server/domains/organizations/store";
import { changedValues } from "@/server/domains/records/changes";
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { amount, currency, currencyCode, currentCurrency, locale, text, timezone, total } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { whoMaySignUp } from "../sign-up";

const settings = z.strictObject({
  organization_id: z.string(),
  name: z.string(),
  mode: z.enum(organizationModes),
  default_currency: z.string().nullable(),
  locale: z.string().nullable(),
  timezone: z.string().nullable(),
  members_record_payments: z.boolean(),
  step_up_amounts: z.array(z.strictObject({ currency: currencyCode, amount: total })),
  has_own_step_up_amounts: z.boolean().describe("Otherwise those of STEP_UP_AMOUNTS apply."),
  sign_up: z.strictObject({
    policy: z.enum(["open", "invite", "closed"]),
    is_set: z.boolean().describe("Whether SIGNUP decides it; otherwise it follows from mode and reach."),
    is_first: z.boolean().describe("Whether a sign-up would join this organization."),
  }),
});

const change = z.strictObject({
  name: text(limits.name).optional(),
  default_currency: currentCurrency.nullish(),
  locale: locale.nullish(),
  timezone: timezone.nullish(),
  members_record_payments: z.boolean().optional(),
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

export const updateOrganizationSettings = operation({
  id: "organizations.update",
  summary: "Change the settings of the organization",
  access: rules["organizations.update"],
  accessFor: ({ members_record_payments: members, step_up_amounts: amounts }) =>
    rules[members === undefined && amounts === undefined ? "organizations.update" : "organizations.update.security"],
  effect: "write",
  input: change,
  output: settings,
  errors: { insufficient_permissions: 400, reauthentication_required: 400 },
  async run({ ctx, input }) {
    await lockOrganization(ctx.db, ctx.scope.organizationId);
    const before = await organizationById(ctx.db, ctx.scope.organizationId);
    const changes = Object.keys(input).length === 0 ? null : columnsOf(input);
    const after = changes ? await updateOrganization(ctx.db, before.id, changes) : before;
    record(ctx, before, after, Object.keys(input).sort());
    return present(ctx, after);
  },
});

const columnsOf = ({ name, locale: language, timezone: zone, ...given }: Change) => ({
  ...(name === undefined ? {} : { name }),
  ...(language === undefined ? {} : { locale: language }),
  ...(zone === undefined ? {} : { timezone: zone }),
  ...(given.default_currency === undefined ? {} : { defaultCurrency: given.default_currency }),
  ...(given.members_record_payments === undefined ? {} : { membersRecordPayments: given.members_record_payments }),
  ...(given.step_up_amounts === undefined ? {} : { stepUpAmounts: given.step_up_amounts }),
});

/** The audit entry says what decides about money as it was and as it is; the name may be a person's. */
function record(ctx: WriteContext, before: OrganizationRow, after: OrganizationRow, fields: readonly string[]): void {
  const amountsOf = (row: OrganizationRow) =>
    stepUpAmountsOf(row, ctx.runtime.env).map(({ currency: code, amount: minor }) => `${code} ${minor}`);
  const detail = {
    fields,
    ...(fields.includes("members_record_payments") ? { members_record_payments: after.membersRecordPayments } : {}),
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
    step_up_amounts: stepUpAmountsOf(row, env),
    has_own_step_up_amounts: row.stepUpAmounts !== null,
    sign_up: { policy: whoMaySignUp(env, row), is_set: env.signup !== null, is_first: first?.id === row.id },
  };
}
