// Installs Lighthouse, exactly as its lockfile says, for npm run lighthouse.
import { installPackagesOf } from "../setup/own-packages.mjs";

await installPackagesOf("scripts/lighthouse", { name: "lighthouse", title: "installing Lighthouse" });
