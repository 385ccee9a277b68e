export * from "effect4/RcMap"
