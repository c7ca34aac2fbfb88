// Sends the texts of the forms that change a payment request.
import { layoutWithTexts } from "@/app/_i18n/layout-with-texts";

export default layoutWithTexts(["newPayment", "payPreview", "customerName"]);
