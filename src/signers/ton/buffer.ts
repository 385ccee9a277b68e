/** A file of its own, since bundlers give such packages a name in lazy chunks only if a file exports them. */
export { Buffer } from "buffer"
