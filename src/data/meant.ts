import { networks } from "./Network.js"
import { meantIn } from "./names.js"

/** The network that a text which is no id was meant to be, with the rows of all. */
export const meant = (text: string): ReturnType<typeof meantIn> => meantIn(networks, text)
