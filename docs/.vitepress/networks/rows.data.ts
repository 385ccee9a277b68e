/** The rows of the table, which VitePress reads when it builds the page: a page loads them as data, and nothing of the SDK. */
import type { Row } from "./model.js"
import { rows } from "./rows.js"

declare const data: ReadonlyArray<Row>

export { data }

export default { load: (): ReadonlyArray<Row> => rows }
