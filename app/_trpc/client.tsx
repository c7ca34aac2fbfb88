// The server's operations for client components, typed by the router.
"use client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { type ReactNode, useState } from "react";
import type { AppRouter } from "@/server/pipeline/trpc-router";

const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

export { useTRPC, useTRPCClient };

/** One call per HTTP request, so that each has its own headers, from `context.idempotencyKey` and `context.ifMatch`. */
const newClient = () =>
  createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: "/api/trpc",
        headers({ op: { context } }) {
          const { idempotencyKey, ifMatch } = context;
          return {
            ...(typeof idempotencyKey === "string" ? { "Idempotency-Key": idempotencyKey } : {}),
            ...(typeof ifMatch === "string" ? { "If-Match": ifMatch } : {}),
          };
        },
      }),
    ],
  });

/** No automatic retries: the user decides. */
const newQueryClient = () =>
  new QueryClient({ defaultOptions: { queries: { staleTime: 30_000, retry: false }, mutations: { retry: false } } });

export function ApiProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(newQueryClient);
  const [trpcClient] = useState(newClient);
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
