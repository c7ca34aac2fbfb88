// GET /v1/users: the organization's users, including removed ones.
import { rules } from "@/server/access/rules";
import { page } from "@/server/kit/fields";
import { countThrough, lookThrough } from "@/server/kit/look-through";
import { operation } from "@/server/kit/operation";
import { pageOf } from "@/server/kit/page";
import { exactly } from "@/server/kit/totals";
import { presentUser } from "../present";
import { listInput, user } from "../schema";
import { userSource } from "../store";

export const listUsers = operation({
  id: "users.list",
  summary: "List users",
  description: "Users of the organization, newest first; including removed ones, unless `status` excludes them.",
  access: rules["users.list"],
  effect: "read",
  rest: { method: "GET", path: "/v1/users", extension: true },
  input: listInput,
  output: page(user),
  errors: { insufficient_permissions: 400, invalid_cursor: 400 },
  async run({ ctx, input, fail }) {
    const sources = [userSource(ctx.db, ctx.scope, input)];
    return pageOf(ctx.runtime.keys, input, fail, {
      list: "users",
      rows: (position, limit) => lookThrough(ctx.request, sources, position, limit),
      total: () => exactly(countThrough(ctx.request, sources)),
      present: (rows) => rows.map(presentUser),
    });
  },
});
