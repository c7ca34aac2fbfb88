// What an audit entry is about: its name or kind with a link, and its id.
import { CopyableId } from "@/app/_ui/copyable-id";
import { Link } from "@/app/_ui/link";
import type { Text } from "./actions";
import classes from "./entries.module.css";

type Key = Parameters<Text>[0];

interface Props {
  id: string;
  name: string | undefined;
  t: Text;
  /** Whether the reader may open all e-mails. */
  seesMails: boolean;
}

/** The dashboard's pages of records, by the beginning of the id. */
const places: Readonly<Record<string, string>> = {
  pay: "/dashboard/payment-requests",
  txn: "/dashboard/transactions",
  cus: "/dashboard/customers",
  acct: "/dashboard/accounts",
  usr: "/dashboard/users",
};

const mails = "/dashboard/mails";

export function Target({ id, name, t, seesMails }: Props) {
  const kind = id.split("_")[0] ?? "";
  const key = `kinds.${kind}` as Key;
  const place = kind === "mai" && seesMails ? mails : places[kind];
  // Records without a page link to everything else that happened to them.
  const href = place === undefined ? `/dashboard/audit-log?target_id=${encodeURIComponent(id)}` : `${place}/${id}`;
  return (
    <div className={classes.target}>
      <Link href={href} className={classes.name}>
        {name ?? (t.has(key) ? t(key) : id)}
      </Link>
      <CopyableId id={id} />
    </div>
  );
}
