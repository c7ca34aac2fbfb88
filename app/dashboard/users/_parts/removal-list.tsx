// What removing a user ends and what remains, read again each time the dialog opens, and who gets the user's accounts.
"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useTRPC } from "@/app/_trpc/client";
import { Refusal } from "@/app/_ui/refusal";
import classes from "@/app/dashboard/_parts/consequences.module.css";
import { UserSelect } from "./user-select";

interface Props {
  id: string;
  isOwn: boolean;
  /** Whether the reader may give the accounts to somebody else. */
  mayGive: boolean;
  /** Receives the id of the user who gets the accounts; empty for nobody. */
  onHeir(userId: string): void;
  /** A further choice, if there is one. */
  children: ReactNode;
}

export function RemovalList({ id, isOwn, mayGive, onHeir, children }: Props) {
  const t = useTranslations("removeUser");
  const { data, error } = useQuery(useTRPC().users.get.queryOptions({ user_id: id }, { staleTime: 0, gcTime: 0 }));
  if (error) {
    return (
      <p className={classes.text}>
        {t("unknown")} <Refusal error={error} />
      </p>
    );
  }
  if (!data) return <p className={classes.text}>{t("counting")}</p>;
  const open = data.accounts.filter(({ status }) => status === "open");
  return (
    <div className={classes.text}>
      <p>{t("permanent")}</p>
      <h3 className={classes.title}>{t("ends")}</h3>
      <ul className={classes.list}>
        {data.live_sessions > 0 && <li>{t("sessions", { count: data.live_sessions })}</li>}
        {isOwn && <li>{t("signedOut")}</li>}
        {data.mfa_enabled && <li>{t("factors")}</li>}
        {data.sent_invitations > 0 && <li>{t("invitations", { count: data.sent_invitations })}</li>}
        <li>{t("links")}</li>
        <li>{t("keys")}</li>
        <li>{t("personal")}</li>
      </ul>
      {open.length > 0 && (
        <>
          <h3 className={classes.title}>{t("ownerless")}</h3>
          <p>{t("ownerlessText")}</p>
          <ul className={classes.list}>
            {open.map(({ account_id: account, account_name: name }) => (
              <li key={account}>{name}</li>
            ))}
            {data.has_more_accounts && <li>{t("moreAccounts")}</li>}
          </ul>
          {mayGive && (
            <UserSelect
              label={t("heir")}
              description={t("heirHelp")}
              nobody={t("nobody")}
              except={id}
              onUser={onHeir}
            />
          )}
        </>
      )}
      {children}
      <h3 className={classes.title}>{t("stays")}</h3>
      <p>{t("records")}</p>
    </div>
  );
}
