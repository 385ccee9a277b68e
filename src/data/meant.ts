import type { NetworkInfo } from "./Network.js"
import { meantIn } from "./names.js"
import * as constants from "./rows.js"

// the table of networks itself has to stay where bundlers can leave it out
const rows: Readonly<Record<string, NetworkInfo>> = Object.fromEntries(
  Object.values(constants).map((row) => [row.id, row])
)

/** The network that a text which is no id was meant to be, with the rows of all. */
export const meant = (text: string): ReturnType<typeof meantIn> => meantIn(rows, text)
