// Sends the texts of the client components for the profile.
import { layoutWithTexts } from "@/app/_i18n/layout-with-texts";

export default layoutWithTexts(["sessions", "factors", "email", "profile"]);
