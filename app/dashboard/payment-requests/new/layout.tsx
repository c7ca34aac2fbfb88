// Sends the texts of the client components for a new payment request.
import { layoutWithTexts } from "@/app/_i18n/layout-with-texts";

export default layoutWithTexts(["newPayment", "payPreview", "customerName"]);
