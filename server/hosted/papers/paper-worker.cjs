// The code of the thread that draws papers. Threads load this file as it is, whatever bundles the rest; tsx compiles
// what it requires.
require("tsx/cjs/api").register();

module.exports = require("./draw.ts").draw;
