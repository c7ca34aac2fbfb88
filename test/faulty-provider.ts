// Set-up of tests that plan faults of the provider: every call goes through the faults of provider-faults.ts.
import { beforeAll, vi } from "vitest";

vi.mock("@/server/domains/providers/sandbox", async (original) => {
  const { withFaults } = await import("@/test/provider-faults");
  return withFaults(await original());
});
vi.mock("@/server/domains/providers/in-time", async (original) => {
  const { withShortTimeouts } = await import("@/test/provider-faults");
  return withShortTimeouts(await original());
});

// Files share what provider-faults.ts remembers, but not their databases.
beforeAll(async () => {
  const { loseInFlight } = await import("@/test/provider-faults");
  loseInFlight();
});
