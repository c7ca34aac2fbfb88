// The context of all client components: theme, tRPC client, query cache.
"use client";
import { MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { ApiProvider } from "../_trpc/client";
import { theme } from "./theme";

export function Providers({ children }: { children: ReactNode }) {
  return (
    // The variables are in mantine-variables.css, so no page computes them.
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false}>
      <ApiProvider>{children}</ApiProvider>
    </MantineProvider>
  );
}
