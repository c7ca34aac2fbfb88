// The saved views of one list: const { views, current, opened, open, put } = useSavedViews(query);
"use client";
import { useEffect } from "react";
import { isFiltered, type ListQuery, sameFilters } from "./list-query";
import { type SavedView, useAllViews } from "./saved-views";

/**
 * The views of a list. `current` has exactly the filters of the list; `opened` is the view whose filters the reader has
 * changed since.
 */
export function useSavedViews(query: ListQuery) {
  const saved = useAllViews();
  const { list = "" } = query.shape;
  const views = saved.all.filter((view) => view.list === list);
  const isShown = ({ filters }: SavedView) => sameFilters(filters, query.filters);
  // Several may have the same filters: the one that was opened is shown.
  const last = views.find(({ view_id }) => view_id === saved.opened.get(list));
  const current = (last && isShown(last) ? last : views.find(isShown)) ?? null;
  const isAny = isFiltered(query);
  useEffect(() => {
    if (current) saved.opened.set(list, current.view_id);
    else if (!isAny) saved.opened.delete(list);
  }, [saved, list, current, isAny]);
  return {
    ...saved,
    views,
    current,
    opened: (!current && isAny && last) || null,
    /** Makes the view the one that is shown, once the list has its filters. */
    open: (view: SavedView) => saved.opened.set(list, view.view_id),
  };
}
