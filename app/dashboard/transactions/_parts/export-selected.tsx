// Exports the selected transactions, unless the number of matches has changed since the reader saw it.
"use client";
import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { useListArea } from "@/app/_ui/list-area";
import { exportQuery } from "@/app/_ui/list-query";
import classes from "./export-selected.module.css";

export function ExportSelected({ path, locale }: { path: string; locale: string }) {
  const t = useTranslations("exportSelection");
  const router = useRouter();
  const { query, selection } = useListArea();
  const link = useRef<HTMLAnchorElement>(null);
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<"changed" | "failed" | null>(null);
  if (selection === null) return null;
  const chosen =
    "ids" in selection ? `transaction_id=${selection.ids.join(",")}` : `expected_count=${selection.expectedCount}`;
  const filters = "ids" in selection ? {} : selection.filters;
  const address = `${path}?${exportQuery({ ...query, filters }, locale)}&${chosen}`;

  /** A download cannot show a refusal, so a HEAD request comes first. */
  async function begin() {
    setIsAsking(true);
    setProblem(null);
    const { status } = await fetch(address, { method: "HEAD" }).catch(() => ({ status: 0 }));
    setIsAsking(false);
    if (status === 200) return link.current?.click();
    setProblem(status === 400 ? "changed" : "failed");
    router.refresh();
  }
  return (
    <>
      <span role="alert" className={classes.problem}>
        {problem && t(problem)}
      </span>
      <Button size="compact-sm" loading={isAsking} leftSection={<IconDownload size={16} aria-hidden />} onClick={begin}>
        {t("export")}
      </Button>
      <a ref={link} href={address} download hidden>
        {t("export")}
      </a>
    </>
  );
}
