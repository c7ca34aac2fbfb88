// Where users who lack a required second factor choose one after signing in.
import { IconChevronRight, IconDeviceMobile, IconFingerprint } from "@tabler/icons-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import classes from "@/app/_ui/form.module.css";
import { Link } from "@/app/_ui/link";
import { relyingParty } from "@/server/domains/factors/relying-party";
import { runtime } from "@/server/process/runtime";
import { type EnrollmentProps, enrollee } from "../_parts/enrollee";
import { SignOut } from "../_parts/sign-out";
import own from "./page.module.css";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("enrollment");
  return { title: t("title") };
}

export default async function SecondFactorPage({ searchParams }: EnrollmentProps) {
  const { user, query } = await enrollee(searchParams);
  const [t, { env }] = await Promise.all([getTranslations("enrollment"), runtime()]);
  const ways = [
    { kind: "app", path: "authenticator", Icon: IconDeviceMobile },
    ...(relyingParty(env) ? [{ kind: "passkey", path: "passkey", Icon: IconFingerprint } as const] : []),
  ] as const;
  return (
    <>
      <h1 className={classes.title}>{t("title")}</h1>
      <p className={classes.intro}>{t("text", { organization: user.organization.name })}</p>
      <ul className={own.ways}>
        {ways.map(({ kind, path, Icon }) => (
          <li key={kind}>
            <Link href={`/second-factor/${path}${query}`} className={own.way}>
              <Icon size={24} stroke={1.5} aria-hidden className={own.icon} />
              <span className={own.words}>
                <span className={own.name}>{t(kind)}</span>
                <span className={own.text}>{t(`${kind}Text`)}</span>
              </span>
              <IconChevronRight size={18} aria-hidden className={own.icon} />
            </Link>
          </li>
        ))}
      </ul>
      <SignOut email={user.email} />
    </>
  );
}
