/** A file of its own: bundlers give parts that are loaded later no names of such packages, unless a file names them. */
export { Buffer } from "buffer"
