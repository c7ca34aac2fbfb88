// Sends the texts of the client components for API keys.
import { layoutWithTexts } from "@/app/_i18n/layout-with-texts";

export default layoutWithTexts(["apiKeys"]);
