// The form for a new API key.
import type { Metadata } from "next";
import { forbidden } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { userMay } from "@/app/_trpc/may";
import { requireUser } from "@/app/_trpc/session";
import classes from "@/app/_ui/form-page.module.css";
import { Card, PageHead } from "@/app/_ui/page-frame";
import { boundScopes, scopes } from "@/server/access/key-scopes";
import { NewKeyForm } from "../_parts/new-key-form";

const list = "/dashboard/api-keys";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("apiKeys");
  return { title: t("newTitle") };
}

export default async function NewApiKeyPage() {
  const user = await requireUser(`${list}/new`);
  if (!userMay(user, "apiKeys.write")) forbidden();
  const t = await getTranslations("apiKeys");
  return (
    <div className={classes.page}>
      <PageHead title={t("newTitle")} back={{ href: list, label: t("title") }} />
      <Card padded>
        <NewKeyForm scopes={scopes} boundScopes={boundScopes} />
      </Card>
    </div>
  );
}
