// The owner of an account, in words.
import { getTranslations } from "next-intl/server";
import { userMay } from "@/app/_trpc/may";
import { api, type Outputs } from "@/app/_trpc/server";

type Account = Outputs["accounts"]["get"];
type User = Outputs["users"]["current"];

/** Null for nobody, or for somebody whom the reader may not look up. */
export async function ownerOf({ owner_user_id: id }: Account, reader: User): Promise<string | null> {
  if (id === null) return null;
  const t = await getTranslations("accounts");
  if (id === reader.user_id) return t("ownerYou");
  if (!userMay(reader, "users.list")) return null;
  const caller = await api();
  const { data } = await caller.users.list({ q: id, limit: 1 });
  const [owner] = data;
  return owner ? [owner.name, owner.email].filter(Boolean).join(", ") : id;
}
