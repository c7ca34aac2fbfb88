// Sends the texts of the client components for a user.
import { layoutWithTexts } from "@/app/_i18n/layout-with-texts";

export default layoutWithTexts(["sessions", "users", "factors", "removeUser"]);
