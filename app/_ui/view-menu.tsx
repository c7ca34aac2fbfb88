// The reader's saved views of a list.
"use client";
import { Button } from "@mantine/core";
import { IconBookmark } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useListArea } from "./list-area";
import { useSavedViews } from "./list-views";
import { MenuOnDemand, type RenderButton } from "./menu-on-demand";
import { onDemand } from "./on-demand";
import { type ViewAct, ViewDialog } from "./view-dialog";
import classes from "./view-menu.module.css";

const load = async () => (await import("./open-view-menu")).OpenViewMenu;
const OpenViewMenu = onDemand(load);

/** Renders nothing while there are no views. */
export function ViewMenu() {
  const t = useTranslations("views");
  const { query } = useListArea();
  const { views, current } = useSavedViews(query);
  const [act, setAct] = useState<ViewAct | null>(null);
  const button: RenderButton = (props) => (
    <Button
      variant="default"
      size="sm"
      leftSection={<IconBookmark size={16} aria-hidden />}
      title={current?.name}
      aria-label={current ? t("menuOf", { name: current.name }) : t("menu")}
      classNames={{ root: classes.target, label: classes.label }}
      {...props}
    >
      <span className="hidden-on-phones">{current?.name ?? t("menu")}</span>
    </Button>
  );
  return (
    <>
      {views.length > 0 && (
        <MenuOnDemand button={button} load={load}>
          <OpenViewMenu button={button} onAct={setAct} />
        </MenuOnDemand>
      )}
      <ViewDialog act={act} onClose={() => setAct(null)} />
    </>
  );
}
