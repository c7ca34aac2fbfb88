// The HTTP server in tests: settings without limits in the way, and a request that has been let in.
import pino from "pino";
import type { Arrival } from "@/server/http/entrance";
import { newNotes } from "@/server/kit/request-notes";

/** What `createHttpServer` wants besides its handlers. */
export const serverSettings = {
  isHttps: false,
  trustedProxies: null,
  requestsPerAddress: 200,
  rate: null,
  credentialOf: ({ authorization }: { authorization?: string }) => authorization ?? null,
  log: pino({ level: "silent" }),
};

/** A request from the address, whose turn it is. */
export const arrivalFrom = (address: string | null): Arrival => ({
  address,
  caller: address ?? "unknown",
  notes: newNotes(),
  ended: () => {},
  onceLeft: () => {},
});
