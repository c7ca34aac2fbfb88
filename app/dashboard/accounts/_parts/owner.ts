// The owner of an account, in words.
import { getTranslations } from "next-intl/server";
import { api, type Outputs } from "@/app/_trpc/server";

type Account = Outputs["accounts"]["get"];
type User = Outputs["users"]["current"];

/** Null for nobody. Only admins see other users' accounts, and only they may look users up. */
export async function ownerOf({ owner_user_id: id }: Account, reader: User): Promise<string | null> {
  if (id === null) return null;
  const t = await getTranslations("accounts");
  if (id === reader.user_id) return t("ownerYou");
  const caller = await api();
  const { data } = await caller.users.list({ q: id, limit: 1 });
  const [owner] = data;
  return owner ? [owner.name, owner.email].filter(Boolean).join(", ") : id;
}
