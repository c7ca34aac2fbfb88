// Sends the texts of the client components for a subscription.
import { layoutWithTexts } from "@/app/_i18n/layout-with-texts";

export default layoutWithTexts(["subscriptionActs"]);
