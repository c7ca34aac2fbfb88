// Runs the search tests again, with limits so small that every page takes many windows.
import { vi } from "vitest";

vi.mock("@/server/kit/limits", async (original) => {
  const { limits, ...rest } = await original<typeof import("@/server/kit/limits")>();
  return {
    ...rest,
    limits: {
      ...limits,
      look: {
        first: 1,
        window: 2,
        windows: 1_000,
        least: 1,
        countWindow: 1_000,
        rowBytes: 60_000,
        few: 1,
        accounts: 5,
      },
    },
  };
});

await import("./search.test");
