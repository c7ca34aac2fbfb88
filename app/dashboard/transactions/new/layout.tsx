// Sends the texts of the client components for a new transaction.
import { layoutWithTexts } from "@/app/_i18n/layout-with-texts";

export default layoutWithTexts(["newTransaction", "transactionReason", "recordPayment", "customerName"]);
