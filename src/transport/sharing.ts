/** The layers in which calls share requests, in one piece: what waits for others in a list often joins one that is on its way. */
export { make as batch } from "./Batch.js"
export { make as coalesce } from "./Coalesce.js"
