// npm run build: installs and builds what is missing or stale.
import { prepare, reportFailure } from "./setup/prepare.mjs";

await prepare({ needsBuild: true }).catch(reportFailure);
