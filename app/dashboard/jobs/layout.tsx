// Sends the texts of the client components for background jobs.
import { layoutWithTexts } from "@/app/_i18n/layout-with-texts";

export default layoutWithTexts(["jobs"]);
