// Lets a page say which list of the navigation it belongs to, where its address does not: <BelongsTo list="/dashboard/invoices" />
"use client";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";

const Place = createContext<[list: string | null, setList: (list: string | null) => void]>([null, () => undefined]);

export const NavPlace = ({ children }: { children: ReactNode }) => (
  <Place value={useState<string | null>(null)}>{children}</Place>
);

/** The list that the open page has named. */
export const useNavPlace = (): string | null => useContext(Place)[0];

export function BelongsTo({ list }: { list: string }) {
  const [, setList] = useContext(Place);
  useEffect(() => {
    setList(list);
    return () => setList(null);
  }, [list, setList]);
  return null;
}
