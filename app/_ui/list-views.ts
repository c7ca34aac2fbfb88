// The saved views of one list: const { views, current, opened, put } = useSavedViews(query);
"use client";
import { useEffect } from "react";
import { isFiltered, type ListQuery, sameFilters } from "./list-query";
import { useAllViews } from "./saved-views";

/**
 * The views of a list. `current` has exactly the filters of the list; `opened` is the view whose filters the reader has
 * changed since.
 */
export function useSavedViews(query: ListQuery) {
  const saved = useAllViews();
  const { list = "" } = query.shape;
  const views = saved.all.filter((view) => view.list === list);
  const current = views.find(({ filters }) => sameFilters(filters, query.filters)) ?? null;
  const isAny = isFiltered(query);
  useEffect(() => {
    if (current) saved.opened.set(list, current.view_id);
    else if (!isAny) saved.opened.delete(list);
  }, [saved, list, current, isAny]);
  const openedId = current || !isAny ? undefined : saved.opened.get(list);
  return { ...saved, views, current, opened: views.find(({ view_id }) => view_id === openedId) ?? null };
}
