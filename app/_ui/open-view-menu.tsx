// The opened menu of saved views: links to each; the one that is shown can be renamed and removed.
"use client";
import { Menu } from "@mantine/core";
import { IconCheck, IconPencil, IconTrash } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { Link } from "./link";
import { useListArea } from "./list-area";
import { hasFixedDates, listAddress } from "./list-query";
import { useSavedViews } from "./list-views";
import { type RenderButton, useOpening } from "./menu-on-demand";
import type { ViewAct } from "./view-dialog";
import classes from "./view-menu.module.css";

export function OpenViewMenu({ button, onAct }: { button: RenderButton; onAct(act: ViewAct): void }) {
  const t = useTranslations("views");
  const { query } = useListArea();
  const { views, current, opened, open } = useSavedViews(query);
  const { target, state } = useOpening();
  const shown = current ?? opened;
  return (
    <Menu {...state} position="bottom-start" shadow="md" withInitialFocusPlaceholder={false}>
      <Menu.Target>{button({ ref: target })}</Menu.Target>
      <Menu.Dropdown className={classes.dropdown ?? ""}>
        {views.map((view) => (
          <Menu.Item
            key={view.view_id}
            component={Link}
            href={listAddress(query, { filters: view.filters })}
            scroll={false}
            onClick={() => open(view)}
            aria-current={view === current ? "page" : undefined}
            rightSection={view === current ? <IconCheck size={16} aria-hidden /> : undefined}
          >
            {view.name}
            {hasFixedDates(view.filters) && (
              <>
                {" "}
                <span className={classes.note}>{t("fixedDates")}</span>
              </>
            )}
          </Menu.Item>
        ))}
        {shown && (
          <>
            <Menu.Divider />
            <Menu.Item
              leftSection={<IconPencil size={16} aria-hidden />}
              onClick={() => onAct({ kind: "rename", view: shown })}
            >
              {t("renameOf", { name: shown.name })}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => onAct({ kind: "remove", view: shown })}
            >
              {t("removeOf", { name: shown.name })}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
