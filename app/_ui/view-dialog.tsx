// The dialogs that save, rename and remove a view. Their content loads when one is opened.
"use client";
import { useTranslations } from "next-intl";
import { Suspense, useState } from "react";
import type { FilteredList } from "@/db/schema/values";
import { Dialog } from "./dialog";
import type { ListQuery } from "./list-query";
import { onDemand } from "./on-demand";
import { useOutcome } from "./outcome";
import { type SavedView, useAllViews } from "./saved-views";

const ViewForm = onDemand(async () => (await import("./view-form")).ViewForm);

export type ViewAct =
  | { kind: "save"; list: FilteredList; filters: ListQuery["filters"] }
  | { kind: "rename" | "remove"; view: SavedView };

/** Open while there is something to do. */
export function ViewDialog({ act, onClose }: { act: ViewAct | null; onClose(): void }) {
  const t = useTranslations("views");
  const { put, drop } = useAllViews();
  const { announce } = useOutcome();
  const [isBusy, setIsBusy] = useState(false);
  const done = { save: "saved", rename: "renamed", remove: "removed" } as const;
  function onDone(kind: ViewAct["kind"], view: SavedView) {
    if (kind === "remove") drop(view.view_id);
    else put(view);
    onClose();
    announce(t(done[kind], { name: view.name }), null);
  }
  const title = act === null ? "" : act.kind === "save" ? t("saveTitle") : t(`${act.kind}Of`, { name: act.view.name });
  return (
    <Dialog isOpen={act !== null} onClose={onClose} title={title} isBusy={isBusy}>
      <Suspense>
        {act && (
          <ViewForm
            act={act}
            onDone={(view) => onDone(act.kind, view)}
            onClose={onClose}
            isBusy={isBusy}
            onBusy={setIsBusy}
          />
        )}
      </Suspense>
    </Dialog>
  );
}
