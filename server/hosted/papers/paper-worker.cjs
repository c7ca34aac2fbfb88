// The code of the thread that draws papers. Threads load this file as it is, whatever bundles the rest; tsx compiles
// what it requires after this. It would compile pdfkit again, which takes twice as long as loading it.
require("pdfkit");
require("tsx/cjs/api").register();

module.exports = require("./draw.ts").draw;
