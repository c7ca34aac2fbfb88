// Installs the packages that generate clients from openapi.json for the tests. They need an older TypeScript than ours.
import { installPackagesOf } from "./own-packages.mjs";

/** Installs exactly the lockfile of e2e/clients, unless that was done before. */
export const installClients = () =>
  installPackagesOf("e2e/clients", { name: "clients", title: "installing the generators of API clients" });
