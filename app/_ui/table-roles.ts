// Safari drops the roles of a table when CSS changes its display, so they are set again.

export const roles = {
  table: { role: "table" },
  group: { role: "rowgroup" },
  row: { role: "row" },
  header: { role: "columnheader" },
  rowHeader: { role: "rowheader" },
  cell: { role: "cell" },
};
