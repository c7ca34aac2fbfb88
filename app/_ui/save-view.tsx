// Beside the active filters: saves them as a view, or as the filters of the view that was opened.
"use client";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "../_trpc/client";
import classes from "./filter-chips.module.css";
import { useListArea } from "./list-area";
import { useSavedViews } from "./list-views";
import { useOutcome } from "./outcome";
import type { SavedView } from "./saved-views";
import { type ViewAct, ViewDialog } from "./view-dialog";

/** Renders nothing where the filters are those of a view. */
export function SaveView() {
  const t = useTranslations("views");
  const { query } = useListArea();
  const { current, opened } = useSavedViews(query);
  const [act, setAct] = useState<ViewAct | null>(null);
  const list = query.shape.list;
  const close = () => setAct(null);
  if (list === undefined || list === "jobs" || list === "api_keys") return null;
  const { filters } = query;
  return (
    <>
      {!current && opened && <SaveChanges view={{ ...opened, filters }} />}
      {!current && (
        <button type="button" className={classes.clear} onClick={() => setAct({ kind: "save", list, filters })}>
          {t(opened ? "saveNew" : "save")}
        </button>
      )}
      <ViewDialog act={act} onClose={close} />
    </>
  );
}

function SaveChanges({ view }: { view: SavedView }) {
  const t = useTranslations("views");
  const api = useTRPCClient();
  const { announce, refuse } = useOutcome();
  const { query } = useListArea();
  const { put } = useSavedViews(query);
  const { view_id, name, filters } = view;
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.views.update.mutate({ view_id, filters }),
    onSuccess(changed) {
      put(changed);
      announce(t("changed", { name }), null);
    },
    onError: refuse,
  });
  return (
    <button type="button" className={classes.clear} disabled={isPending} onClick={() => mutate()}>
      {t("saveChanges", { name })}
    </button>
  );
}
