// Sends the texts of the client components for the settings.
import { layoutWithTexts } from "@/app/_i18n/layout-with-texts";

export default layoutWithTexts(["mailSettings", "organizationSettings", "sandboxClock", "securitySettings"]);
