// The context of all client components: theme, tRPC client, query cache.
"use client";
import { MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { ApiProvider } from "../_trpc/client";
import { cssVariablesResolver, theme } from "./theme";

export function Providers({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" cssVariablesResolver={cssVariablesResolver}>
      <ApiProvider>{children}</ApiProvider>
    </MantineProvider>
  );
}
