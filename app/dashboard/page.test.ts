// The home page while its figures cannot be added up.
import { TRPCError } from "@trpc/server";
import type { ReactElement } from "react";
import { expect, it, vi } from "vitest";
import { protocolFailure } from "@/server/kit/errors";
import { FiguresFailed } from "./_parts/home/figures-failed";
import { NewestTransactions } from "./_parts/home/newest-transactions";
import { ToDo } from "./_parts/home/to-do";
import HomePage from "./page";

const { figures, error } = vi.hoisted(() => ({ figures: vi.fn(), error: vi.fn() }));
vi.mock("@/app/_trpc/server", () => ({
  api: async () => ({
    overview: { figures },
    transactions: { list: async () => ({ data: [{ transaction_id: "txn_1", destination_account_id: null }] }) },
  }),
}));
const user = { role: "admin", organization: { mode: "sandbox", members_record_payments: false } };
vi.mock("@/app/_trpc/session", () => ({ requireUser: async () => user }));
vi.mock("@/app/_i18n/viewer", () => ({ viewer: async () => ({ locale: "en", timeZone: "UTC" }) }));
vi.mock("@/server/process/runtime", () => ({ runtime: async () => ({ log: { error } }) }));
vi.mock("next-intl/server", () => ({ getTranslations: async () => (name: string) => name }));
vi.mock("next/headers", () => ({ headers: async () => new Headers() }));

/** What the page consists of. */
async function parts(): Promise<unknown[]> {
  const page: ReactElement<{ children: ReactElement[] }> = await HomePage({ searchParams: Promise.resolve({}) });
  const shown = page.props.children.at(-1) as ReactElement<{ children: ReactElement[] }>;
  return shown.props.children.map(({ type }) => type);
}

it("shows its other parts and logs the failure", async () => {
  const fault = new TypeError("The sum is not an integer.");
  figures.mockRejectedValueOnce(new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: fault }));
  expect(await parts()).toEqual(expect.arrayContaining([ToDo, FiguresFailed, NewestTransactions]));
  expect(error).toHaveBeenCalledOnce();
});

it("fails as a whole if the call was refused", async () => {
  const cause = protocolFailure("unauthorized");
  figures.mockRejectedValueOnce(new TRPCError({ code: "UNAUTHORIZED", cause }));
  await expect(parts()).rejects.toMatchObject({ cause });
});
