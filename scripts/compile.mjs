/**
 * Runs the native compiler with the least work for the processor: `node scripts/compile.mjs -p tsconfig.json …`. Its default is four
 * checkers side by side, and each of them computes the types again that they share; beside other steps of the tests, and on two cores, that
 * costs more than it saves. A heap that grows to five times its size before it is collected costs no memory that four checkers
 * would not take. Over tsconfig.all.json these two are 39 seconds of work in place of 69, and 3.1 GB in place of 4.8.
 */
process.env.GOGC ??= "400"
process.argv.splice(2, 0, "--checkers", "1")
await import("../node_modules/ts7/bin/tsc")
