// Exports the list of payment requests as a file.
import { exportOf } from "../_parts/export-payments";
import { exportColumnsFor } from "../_parts/list-shape";

const answer = exportOf(exportColumnsFor);

export { answer as GET, answer as HEAD };
