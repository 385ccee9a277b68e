/** The two layers in which calls share requests. They are loaded together, since they are often used together. */
export { make as batch } from "./Batch.js"
export { make as coalesce } from "./Coalesce.js"
