// The HTTP server in tests: settings with high limits, and an admitted request.
import pino from "pino";
import type { Arrival } from "@/server/http/entrance";
import { newNotes } from "@/server/kit/request-notes";

/** What `createHttpServer` needs besides its handlers. */
export const serverSettings = {
  isHttps: false,
  trustedProxies: null,
  requestsPerAddress: 200,
  rate: null,
  credentialOf: ({ authorization }: { authorization?: string }) => authorization ?? null,
  metrics: { contentType: "text/plain", mayRead: () => false, text: async () => "", noteRefusal: () => {} },
  log: pino({ level: "silent" }),
};

/** An admitted request from the address. */
export const arrivalFrom = (address: string | null): Arrival => ({
  address,
  caller: address ?? "unknown",
  notes: newNotes(),
  ended: () => {},
  onceLeft: () => {},
});
