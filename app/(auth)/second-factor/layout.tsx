// Sends the texts of the client components for the second factor.
import { layoutWithTexts } from "@/app/_i18n/layout-with-texts";

export default layoutWithTexts(["enrollment", "factors"]);
