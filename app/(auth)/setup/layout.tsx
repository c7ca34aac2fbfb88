// Sends the texts of the client components for the set-up.
import { layoutWithTexts } from "@/app/_i18n/layout-with-texts";

export default layoutWithTexts(["setup"]);
