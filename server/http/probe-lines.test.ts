// Failing probes write a limited number of log lines, because no rate limit applies to them.
import type { Server } from "node:http";
import pino from "pino";
import { afterEach, expect, it, vi } from "vitest";
import { limits } from "@/server/kit/limits";
import { serverSettings } from "@/test/http";
import type { ProbeAnswer } from "./probes";
import { createHttpServer, type HttpServerOptions, listen } from "./server";

vi.mock("./probes", async (original) => ({
  ...(await original<object>()),
  answerProbe: async (): Promise<ProbeAnswer> => ({ httpStatus: 503, status: "database_unavailable" }),
}));

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

it("each failing probe has a line, up to the limit of its address", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const handler: HttpServerOptions["rest"] = async (_request, response) => void response.end();
  const pages: HttpServerOptions["pages"] = async (_request, response) => void response.end();
  server = createHttpServer({ rest: handler, hosted: handler, pages, ...serverSettings, log });
  await listen(server, 0, "127.0.0.1");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  for (let i = 0; i < limits.refusalLines.perAddress + 20; i++) {
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(503);
  }
  await vi.waitFor(() => expect(lines.length).toBeGreaterThanOrEqual(limits.refusalLines.perAddress));
  expect(lines).toHaveLength(limits.refusalLines.perAddress);
  expect(lines[0]).toMatchObject({ path: "/readyz", status: 503, address: "127.0.0.1" });
});
