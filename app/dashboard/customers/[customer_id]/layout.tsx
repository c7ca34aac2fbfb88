// Sends the texts of the client components for a customer.
import { layoutWithTexts } from "@/app/_i18n/layout-with-texts";

export default layoutWithTexts(["customerForm", "accountForm", "mergeCustomer", "eraseCustomer"]);
