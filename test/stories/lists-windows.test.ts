// The tests of the lists again, with limits so small that every page takes many windows.
import { vi } from "vitest";

vi.mock("@/server/kit/limits", async (original) => {
  const { limits, ...rest } = await original<typeof import("@/server/kit/limits")>();
  return {
    ...rest,
    limits: {
      ...limits,
      look: { first: 2, window: 3, windows: 1_000, least: 2, countWindow: 4, rowBytes: 60_000, few: 2, accounts: 1 },
    },
  };
});

await import("./lists.test");
