// Sends the texts of the client components for an account.
import { layoutWithTexts } from "@/app/_i18n/layout-with-texts";

export default layoutWithTexts([
  "accountForm",
  "customerForm",
  "payPreview",
  "assignOwner",
  "closeAccount",
  "exportEntries",
  "list",
]);
