// The database of bcash loads its native part even where everything stays in memory: this is what its package gives
// browsers in place of that part, so that nothing has to be compiled.
const Module = require("node:module")

const resolve = Module._resolveFilename
Module._resolveFilename = function (request, parent, ...rest) {
  const native = request === "./level" && /[\\/]bdb[\\/]lib[\\/]/.test(parent?.filename ?? "")
  return resolve.call(this, native ? "./level-browser" : request, parent, ...rest)
}
