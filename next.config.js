// How Next builds and serves the pages. Headers that depend on the request (CSP) or APP_URL (HSTS) are set at run time.
import { PHASE_PRODUCTION_SERVER } from "next/constants.js";

/** Adds what the compiler needs to know about the texts. */
async function withMessages(config) {
  const { default: createNextIntlPlugin } = await import("next-intl/plugin");
  const withNextIntl = createNextIntlPlugin({
    requestConfig: "./app/_i18n/request.ts",
    // The build parses the texts. Otherwise each page would parse its own again, and browsers would load the parser.
    experimental: { messages: { path: "./messages", format: "json", locales: "infer", precompile: true } },
  });
  return withNextIntl(config);
}

/** Every path except those of the hosted pages and logos, which send their own, stricter headers. */
const pages =
  "/((?!pay/[^/]+$|pay/[^/]+/receipt$|logo/[^/]+$|sandbox/challenge/[^/]+$|reset-password/[^/]+$|forgot-password$|card/[^/]+$|email/[^/]+$|invitation/[^/]+$|sign-up$).*)";

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  serverExternalPackages: ["better-sqlite3", "@node-rs/argon2", "nodemailer", "pg", "pino", "piscina", "prom-client"],
  turbopack: { root: import.meta.dirname },
  // `npm run verify` checks the types, tests included; the first start does not wait for it a second time.
  // Next rewrites the tsconfig that it is given, so it gets a separate one.
  typescript: { ignoreBuildErrors: true, tsconfigPath: "tsconfig.next.json" },
  // No page has images to scale, so the image endpoint is off: it would load an image library and read arbitrary paths.
  images: { unoptimized: true },
  experimental: {
    // Next keeps a copy of each body that its proxy could read. Our own server passes on no larger ones; this limit is
    // for other hosts.
    proxyClientMaxBodySize: "64kb",
    // Pages are loaded on first use, so an instance that serves only /v1 saves their 50 MiB.
    preloadEntriesOnStart: false,
    optimizePackageImports: ["@mantine/core", "@mantine/hooks", "@tabler/icons-react"],
    // forbidden() answers 403 in the shell.
    authInterrupts: true,
    // Minifying the server's code takes half of a build, and its stack traces could not be read without source maps.
    serverMinification: false,
    turbopackSourceMaps: false,
  },
  async headers() {
    return [
      { source: "/:path*", headers: [{ key: "X-Content-Type-Options", value: "nosniff" }] },
      {
        source: pages,
        headers: [
          { key: "Referrer-Policy", value: "same-origin" },
          { key: "X-Frame-Options", value: "DENY" },
          { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
          { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
          {
            key: "Permissions-Policy",
            value: "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
          },
        ],
      },
    ];
  },
};

/** A server of built pages compiles nothing: the plugin with its compiler would only make it start later. */
export default (phase) => (phase === PHASE_PRODUCTION_SERVER ? config : withMessages(config));
