export { PCGRandom } from "effect/Utils"
