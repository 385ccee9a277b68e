export * from "effect4/Config"
export { String as string } from "effect4/Config"
