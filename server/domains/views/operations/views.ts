// The saved views of the calling user: filters of lists under names of the user's own.
import * as z from "zod";
import { type FilteredList, filteredLists } from "@/db/schema/values";
import { may } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import { lockCaller } from "@/server/domains/users/caller";
import type { Actor } from "@/server/kit/context";
import { userOf } from "@/server/kit/identity";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { checkFilters, filters, listRules, presentView, savedView, viewId, viewName } from "../schema";
import { changeView, deleteView, findByName, findView, insertView, listViews } from "../store";

/** They change only what their user sees in the dashboard. */
const unaudited = { effect: "write", idempotent: false, isAudited: false } as const;

/** False for a list that only a newer version has, which may have served before. */
const isKnown = (list: FilteredList): boolean => filteredLists.includes(list);

/** Whether the caller may see the list of a view now. */
const isVisible = ({ list }: { list: FilteredList }, actor: Actor): boolean =>
  isKnown(list) && may(listRules[list], actor);

export const ownViews = operation({
  id: "views.list",
  summary: "List one's saved views",
  description:
    "By list and name; only those of lists that the caller may see now. With a role that sees more, there may be more " +
    "than can be saved.",
  access: rules["views.own"],
  effect: "read",
  input: z.strictObject({}),
  output: z.strictObject({ data: z.array(savedView) }),
  errors: { insufficient_permissions: 400 },
  async run({ ctx, fail }) {
    const { userId } = userOf(ctx.actor) ?? fail("insufficient_permissions");
    const rows = await listViews(ctx.db, userId);
    return { data: rows.filter((row) => isVisible(row, ctx.actor)).map(presentView) };
  },
});

export const createView = operation({
  ...unaudited,
  id: "views.create",
  summary: "Save filters of a list as a view",
  access: rules["views.own"],
  input: z.strictObject({ list: z.enum(filteredLists), name: viewName, filters }),
  output: savedView,
  errors: { insufficient_permissions: 400, invalid_request: 400, view_name_taken: 400, too_many_views: 400 },
  async run({ ctx, input: { list, name, filters: given }, fail }) {
    if (!may(listRules[list], ctx.actor)) fail("insufficient_permissions");
    checkFilters(list, given, fail);
    const { id: userId } = await lockCaller(ctx, fail);
    if (await findByName(ctx.db, { userId, list }, name)) fail("view_name_taken");
    const visible = (await listViews(ctx.db, userId)).filter((view) => isVisible(view, ctx.actor));
    if (visible.length >= limits.savedViews.perUser) fail("too_many_views");
    const row = { id: ctx.id("vw"), userId, list, name: name.trim(), filters: given, createdAt: ctx.now };
    await insertView(ctx.db, row);
    return presentView(row);
  },
});

export const updateView = operation({
  ...unaudited,
  id: "views.update",
  summary: "Rename a saved view, or replace its filters",
  access: rules["views.own"],
  input: z.strictObject({ view_id: viewId, name: viewName.optional(), filters: filters.optional() }),
  output: savedView,
  errors: { insufficient_permissions: 400, invalid_request: 400, view_name_taken: 400, view_not_found: 400 },
  async run({ ctx, input, fail }) {
    const { id: userId } = await lockCaller(ctx, fail);
    const row = (await findView(ctx.db, userId, input.view_id)) ?? fail("view_not_found");
    if (!isVisible(row, ctx.actor)) fail("view_not_found");
    if (input.filters) checkFilters(row.list, input.filters, fail);
    const changed = { ...row, name: input.name?.trim() ?? row.name, filters: input.filters ?? row.filters };
    const namesake = await findByName(ctx.db, row, changed.name);
    if (namesake && namesake.id !== row.id) fail("view_name_taken");
    await changeView(ctx.db, row.id, changed);
    return presentView(changed);
  },
});

export const removeView = operation({
  ...unaudited,
  id: "views.remove",
  summary: "Remove a saved view",
  access: rules["views.own"],
  input: z.strictObject({ view_id: viewId }),
  output: z.strictObject({ view_id: z.string() }),
  errors: { insufficient_permissions: 400, view_not_found: 400 },
  async run({ ctx, input: { view_id }, fail }) {
    const { id: userId } = await lockCaller(ctx, fail);
    if (!(await deleteView(ctx.db, userId, view_id))) fail("view_not_found");
    return { view_id };
  },
});
