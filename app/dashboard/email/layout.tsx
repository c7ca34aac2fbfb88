// Sends the texts of the client components for a changed e-mail address.
import { layoutWithTexts } from "@/app/_i18n/layout-with-texts";

export default layoutWithTexts(["email"]);
