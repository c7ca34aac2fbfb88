// Asks what becomes of the API keys that an admin made, once this admin is removed or gets another role.
"use client";
import { Checkbox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useTRPC } from "@/app/_trpc/client";

interface Props {
  id: string;
  revokes: boolean;
  onChange(revokes: boolean): void;
}

/** Nothing for a user who made no key that works. */
export function RevokeKeys({ id, revokes, onChange }: Props) {
  const t = useTranslations("users");
  const { data } = useQuery(useTRPC().users.get.queryOptions({ user_id: id }, { staleTime: 0, gcTime: 0 }));
  if (!data || data.made_keys === 0) return null;
  return (
    <Checkbox
      label={t("revokeKeys", { count: data.made_keys })}
      description={t("revokeKeysHelp", { count: data.made_keys })}
      checked={revokes}
      onChange={({ currentTarget: { checked } }) => onChange(checked)}
    />
  );
}
