// The table of saved views: filters of a list that a user has given a name.
import type { Columns } from "../columns";
import { inList } from "./checks";
import type { identityTables } from "./identity";
import { filteredLists } from "./values";

export function viewTables(k: Columns, { users }: ReturnType<typeof identityTables>) {
  const savedViews = k.table(
    "saved_views",
    {
      id: k.text("id").primaryKey(),
      userId: k
        .text("user_id")
        .notNull()
        .references(() => users.id),
      list: k.oneOf("list", [...filteredLists]).notNull(),
      name: k.text("name").notNull(),
      /** The case-folded name. */
      nameKey: k.text("name_key").notNull(),
      /** By parameter name, as the address of the list has them. */
      filters: k.json<Record<string, string>>()("filters").notNull(),
      createdAt: k.instant("created_at").notNull(),
    },
    (t) => [
      k.uniqueIndex("saved_views_name").on(t.userId, t.list, t.nameKey),
      k.check("saved_views_list", inList(t.list, filteredLists)),
    ],
  );

  return { savedViews };
}
