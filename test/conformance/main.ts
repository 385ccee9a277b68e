/** `npm run conformance -- [--only REGEX] [files or folders…]`: by default the vectors that the project ships. */
import { join } from "node:path"
import { parseArgs } from "node:util"
import { report } from "./run.js"
import { load } from "./vectors.js"

const { values, positionals } = parseArgs({
  options: { only: { type: "string", default: "" } },
  allowPositionals: true
})
const shipped = join(process.cwd(), "test/conformance/vectors")
const only = new RegExp(values.only)
const vectors = load(positionals.length === 0 ? [shipped] : positionals).filter(({ id }) => only.test(id))
const { failed } = await report(vectors)
process.exitCode = failed === 0 ? 0 : 1
