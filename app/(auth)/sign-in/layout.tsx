// Sends the texts of the client components for the sign-in.
import { layoutWithTexts } from "@/app/_i18n/layout-with-texts";

export default layoutWithTexts(["signIn"]);
