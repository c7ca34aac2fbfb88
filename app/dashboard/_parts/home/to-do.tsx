// What will need attention soon. Each line leads to the list that it counts. Faults are on every page, in Attention.
import { getTranslations } from "next-intl/server";
import { userMay } from "@/app/_trpc/may";
import { partOfPage } from "@/app/_trpc/part-of-page";
import { api, type Outputs } from "@/app/_trpc/server";
import { Link } from "@/app/_ui/link";
import { Card } from "@/app/_ui/page-frame";
import { limits } from "@/server/kit/limits";
import classes from "./home.module.css";
import { attentionAddress } from "./home-address";

type Attention = Outputs["overview"]["attention"];
type User = Outputs["users"]["current"];

/** How many there are of each kind. */
const kinds = [
  ["unanswered", "unanswered"],
  ["disputes", "open_disputes"],
  ["lostDisputes", "lost_disputes"],
  ["paidLate", "paid_late"],
  ["overdue", "overdue"],
  ["lapsing", "lapsing"],
  ["expiring", "expiring"],
  ["overLimit", "over_limit"],
  ["declines", "many_declines"],
  ["linkRequests", "link_requests"],
  ["remindersWaiting", "reminders_waiting"],
  ["pastDue", "past_due"],
  ["toResume", "to_resume"],
  ["missed", "missed"],
  ["inDebt", "accounts_in_debt"],
  ["orphaned", "orphaned_accounts"],
  ["withoutFactor", "admins_without_factor"],
] as const satisfies [name: keyof typeof attentionAddress, field: keyof Attention][];

export async function ToDo({ user, locale }: { user: User; locale: string }) {
  const [t, caller] = await Promise.all([getTranslations("home"), api()]);
  const [found, faults] = await Promise.all([partOfPage(caller.overview.attention({})), serverFaults(user)]);
  const most = limits.overview.counted - 1;
  const numbers = new Intl.NumberFormat(locale);
  const counted = kinds.flatMap(([name, field]) => {
    const count = found?.[field] ?? 0;
    if (found === null || count === 0) return [];
    const number = count > most ? `${numbers.format(most)}+` : numbers.format(count);
    const act = name === "orphaned" && !userMay(user, "accounts.update.owner") ? t("orphanedShow") : t(`${name}Act`);
    return [{ name, text: t(name, { count, number }), act, href: attentionAddress[name](found.ends_before) }];
  });
  const uncounted = { name: "uncounted", text: t("uncounted"), act: t("failedAct"), href: "/dashboard" };
  const unread = {
    ...{ name: "unread", text: t("unread"), act: t("expiringAct") },
    href: attentionAddress.expiring(found?.ends_before ?? ""),
  };
  const broken = faults.map((name) => ({
    name,
    text: t(name),
    act: t("serverAct"),
    href: "/dashboard/settings/server",
  }));
  const lines = [
    ...broken,
    ...counted,
    ...(found === null ? [uncounted] : []),
    ...(found?.is_complete === false ? [unread] : []),
  ];
  if (lines.length === 0) return null;
  return (
    <div className={classes.toDo}>
      <Card title={t("attention")}>
        <ul className={classes.lines}>
          {lines.map(({ name, text, act, href }) => (
            <li key={name} className={classes.line}>
              <span>{text}</span>
              <Link href={href}>{act}</Link>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}

/** What is wrong with the protection of the data, for users who can do something about it. */
async function serverFaults(user: User): Promise<("backup" | "proof")[]> {
  if (!userMay(user, "instance.read")) return [];
  const state = await partOfPage((await api()).instance.state({}));
  if (state === null) return [];
  const { backup, proof } = state;
  const needsAct = ({ health }: { health: string }) => health === "act";
  return [...(needsAct(backup) ? (["backup"] as const) : []), ...(needsAct(proof) ? (["proof"] as const) : [])];
}
