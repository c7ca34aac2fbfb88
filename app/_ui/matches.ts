// What the server found for a typed text, and whether that may be the answer to an earlier text:
// const { data, isBehind } = useMatches(useTRPC().accounts.list.queryOptions({ q }, searchOptions));
"use client";
import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery } from "@tanstack/react-query";

/** How the matches are asked for: an answer to an earlier text remains until the next, and its call is aborted. */
export const searchOptions = {
  placeholderData: keepPreviousData,
  staleTime: 0,
  trpc: { abortOnUnmount: true },
} as const;

/** The matches. `isBehind` says that an answer is awaited, or that the browser is offline. */
export function useMatches<Answer, Problem, Data, Key extends QueryKey>(
  options: UseQueryOptions<Answer, Problem, Data, Key>,
) {
  const { data, isFetching, isPlaceholderData } = useQuery(options);
  return { data, isBehind: isFetching || isPlaceholderData };
}
