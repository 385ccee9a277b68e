/**
 * `npm run conformance -- [--only REGEX] [--rpc] [files or folders…]`: by default the vectors that the project ships. `--rpc` leaves
 * out services, which the lean runtime does not have yet.
 */
import { join } from "node:path"
import { parseArgs } from "node:util"
import { report } from "./run.js"
import { load, type Vector } from "./vectors.js"

const { values, positionals } = parseArgs({
  options: { only: { type: "string", default: "" }, rpc: { type: "boolean", default: false } },
  allowPositionals: true
})
const shipped = join(process.cwd(), "test/conformance/vectors")
const only = new RegExp(values.only)
const isOfNodes = (vector: Vector): boolean =>
  !("target" in vector) || /^(rpc\.|TatumSDK\.init$)/.test(vector.target)
const vectors = load(positionals.length === 0 ? [shipped] : positionals)
  .filter(({ id }) => only.test(id))
  .filter((vector) => !values.rpc || isOfNodes(vector))
const { failed } = await report(vectors)
process.exitCode = failed === 0 ? 0 : 1
