/**
 * `npm run conformance -- [--only REGEX] [files or folders…]`: by default the vectors that the project ships. Those of the
 * data API run in both of its generations.
 */
import { join } from "node:path"
import { parseArgs } from "node:util"
import { inBoth } from "./generations.js"
import { report } from "./run.js"
import { load } from "./vectors.js"

const { values, positionals } = parseArgs({
  options: { only: { type: "string", default: "" } },
  allowPositionals: true
})
const shipped = join(process.cwd(), "test/conformance/vectors")
const only = new RegExp(values.only)
const vectors = inBoth(load(positionals.length === 0 ? [shipped] : positionals)).filter(({ id }) =>
  only.test(id)
)
const { failed } = await report(vectors)
process.exitCode = failed === 0 ? 0 : 1
