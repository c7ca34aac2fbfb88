// Remembers which columns of a list the calling user wants to see, and how many rows.
import { rules } from "@/server/access/rules";
import { lockCaller } from "@/server/domains/users/caller";
import { changeUser } from "@/server/domains/users/store";
import { operation } from "@/server/kit/operation";
import { displayInput } from "../schema";

export const setDisplay = operation({
  id: "views.setDisplay",
  summary: "Remember the columns and the rows per page of a list",
  access: rules["views.own"],
  effect: "write",
  idempotent: false,
  isAudited: false,
  input: displayInput,
  output: displayInput,
  errors: { insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    const { list, columns, rows } = input;
    const { id, listDisplays } = await lockCaller(ctx, fail);
    await changeUser(ctx.db, id, { listDisplays: { ...listDisplays, [list]: { columns, rows } } });
    return input;
  },
});
