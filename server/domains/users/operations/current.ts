// The signed-in user and their organization, which every dashboard page shows.
import * as z from "zod";
import { type ListDisplay, type ListName, listNames, organizationModes } from "@/db/schema/values";
import { rules } from "@/server/access/rules";
import { findClock } from "@/server/domains/organizations/clock-store";
import { organizationById } from "@/server/domains/organizations/organization";
import { userOf } from "@/server/kit/identity";
import { operation } from "@/server/kit/operation";
import { presentUser } from "../present";
import { user } from "../schema";
import { findUser } from "../store";

export const currentUser = operation({
  id: "users.current",
  summary: "The signed-in user with its organization",
  access: rules["users.current"],
  effect: "read",
  input: z.strictObject({}),
  output: user.extend({
    must_set_up_factor: z
      .boolean()
      .meta({ description: "Whether the organization requires a second factor that the user lacks." }),
    has_given_password: z
      .boolean()
      .meta({ description: "Whether somebody else created the user with a password, which the user has not changed." }),
    list_displays: z
      .partialRecord(z.enum(listNames), z.strictObject({ columns: z.array(z.string()).readonly(), rows: z.int() }))
      .meta({ description: "The columns and rows per page that the user chose for lists." }),
    organization: z.strictObject({
      organization_id: z.string(),
      name: z.string(),
      mode: z.enum(organizationModes),
      default_currency: z.string().nullable().meta({ description: "For accounts without one of their own." }),
      members_record_payments: z.boolean().meta({ description: "Whether members may record money in live mode." }),
      clock: z.strictObject({
        offset_ms: z.int().meta({ description: "How far its time is ahead of real time, in milliseconds." }),
        running: z.boolean().meta({ description: "Whether acts that an advance has made due are still carried out." }),
      }),
    }),
  }),
  errors: { insufficient_permissions: 400 },
  async run({ ctx, fail }) {
    const { organizationId, userId, lacksFactor = false } = userOf(ctx.actor) ?? fail("insufficient_permissions");
    const row = (await findUser(ctx.db, organizationId, userId)) ?? fail("insufficient_permissions");
    const { id, name, mode, ...settings } = await organizationById(ctx.db, row.organizationId);
    const clock = mode === "live" ? undefined : await findClock(ctx.db, id);
    const organization = {
      ...{ organization_id: id, name, mode, default_currency: settings.defaultCurrency },
      members_record_payments: settings.membersRecordPayments,
      clock: { offset_ms: clock?.offsetMs ?? 0, running: clock?.isRunning ?? false },
    };
    return {
      ...presentUser(row),
      must_set_up_factor: lacksFactor,
      has_given_password: row.hasGivenPassword,
      list_displays: knownDisplays(row.listDisplays ?? {}),
      organization,
    };
  },
});

/** Without lists that only a newer version has, which may have served before. */
const knownDisplays = (displays: Partial<Record<ListName, ListDisplay>>): Partial<Record<ListName, ListDisplay>> =>
  Object.fromEntries(listNames.flatMap((list) => (displays[list] ? [[list, displays[list]]] : [])));
