/** Chance of a test, by its seed: the sources have no need of one. */
export { PCGRandom } from "effect/Utils"
