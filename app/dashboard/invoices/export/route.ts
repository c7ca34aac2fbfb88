// Exports the list of invoices as a file.
import { exportOf } from "../../payment-requests/_parts/export-payments";
import { exportColumnsFor } from "../_parts/list-shape";

const answer = exportOf(exportColumnsFor, { type: ["invoice"] });

export { answer as GET, answer as HEAD };
