// The HTTP server of a separate worker: health checks and metrics, and no other path.
import type { Server } from "node:http";
import type { Runtime } from "@/server/process/runtime";
import { MetricsPage } from "./metrics";
import { refuse } from "./refusals";
import { createHttpServer, type HttpServerOptions } from "./server";

const nothing: HttpServerOptions["rest"] = async (_request, response) => refuse(response, { code: "unknown_path" });

/** Creates a server that is not yet listening. */
export const createWorkerServer = (runtime: Runtime): Server =>
  createHttpServer({
    rest: nothing,
    hosted: nothing,
    pages: async (_request, response) => refuse(response, { code: "unknown_path" }),
    isHttps: false,
    trustedProxies: runtime.env.trustedProxies,
    requestsPerAddress: runtime.env.connectionsPerAddress,
    rate: runtime.rate,
    credentialOf: () => null,
    metrics: new MetricsPage(runtime),
    log: runtime.log,
  });
