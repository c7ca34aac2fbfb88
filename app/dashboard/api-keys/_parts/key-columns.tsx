// The columns of the list of API keys.
import type { useTranslations } from "next-intl";
import type { Outputs } from "@/app/_trpc/server";
import { CopyableId } from "@/app/_ui/copyable-id";
import type { Column } from "@/app/_ui/data-table";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import { KeyState, stateOf } from "./key-state";
import classes from "./keys.module.css";
import { RevokeKey } from "./revoke-key";
import { RotateKey } from "./rotate-key";
import { ScopeList } from "./scope-list";

type Key = Outputs["apiKeys"]["list"]["data"][number];

/** A key with what the list shows besides the record. */
export type DetailedKey = Key & { details: Outputs["apiKeys"]["details"]["data"][number] | undefined };

type Text = ReturnType<typeof useTranslations<"apiKeys">>;

interface Reader {
  locale: string;
  timeZone: string;
}

export function keyColumns(t: Text, reader: Reader, mayChange: boolean, now: number): Column<DetailedKey>[] {
  const columns: Column<DetailedKey>[] = [
    { key: "name", label: t("name"), place: "title", cell: (key) => <NameCell {...key} /> },
    {
      key: "state",
      label: t("state"),
      place: "amount",
      cell: (key) => <KeyState {...key} {...reader} now={now} />,
    },
    { key: "scopes", label: t("scopes"), cell: ({ scopes }) => <ScopeList scopes={scopes} /> },
    {
      key: "account",
      label: t("account"),
      place: "text",
      cell: (key) => <AccountCell {...key} everywhere={t("everywhere")} />,
    },
    {
      key: "lastUsed",
      label: t("lastUsed"),
      cell: ({ last_used_at: at }) => (at === null ? t("never") : <Instant at={at} {...reader} />),
    },
    {
      key: "expires",
      label: t("expires"),
      cell: ({ expires_at: at }) => (at === null ? t("never") : <Instant at={at} {...reader} />),
    },
    { key: "created", label: t("created"), cell: (key) => <CreatedCell {...key} {...reader} gone={t("gone")} /> },
    {
      key: "addresses",
      label: t("addresses"),
      cell: ({ ip_allow: list }) =>
        list.length === 0 ? t("anyAddress") : <span className={classes.mono}>{list.join(", ")}</span>,
    },
    { key: "id", label: t("id"), cell: (key) => <CopyableId id={key.api_key_id} /> },
  ];
  if (!mayChange) return columns;
  return [
    ...columns,
    { key: "action", label: t("action"), align: "end", place: "action", cell: (key) => <Actions {...key} now={now} /> },
  ];
}

/** The name, and the ends of the secret by which a program's key can be recognized. */
const NameCell = ({ name, prefix, last4 }: DetailedKey) => (
  <>
    <span className={classes.nameText}>{name}</span>
    <span className={classes.secretEnds}>
      {prefix}…{last4}
    </span>
  </>
);

const AccountCell = ({ account_id: id, details, everywhere }: DetailedKey & { everywhere: string }) =>
  id === null ? (
    everywhere
  ) : (
    <Link href={`/dashboard/accounts/${id}`} className={classes.account}>
      {details?.account_name ?? id}
    </Link>
  );

const CreatedCell = ({ created_at: at, details, gone, locale, timeZone }: DetailedKey & Reader & { gone: string }) => (
  <span className={classes.name}>
    <Instant at={at} isDay locale={locale} timeZone={timeZone} />
    <span className={classes.by}>{details?.creator_is_removed ? gone : details?.creator_name}</span>
  </span>
);

function Actions({ now, ...key }: DetailedKey & { now: number }) {
  const state = stateOf(key, now);
  if (state === "revoked") return null;
  return (
    <span className={classes.actions}>
      {state === "active" && (
        <RotateKey
          id={key.api_key_id}
          name={key.name}
          endsOlder={key.details?.previous_secret_until !== null && key.details !== undefined}
        />
      )}
      <RevokeKey id={key.api_key_id} name={key.name} />
    </span>
  );
}
