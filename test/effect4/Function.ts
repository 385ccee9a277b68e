export * from "effect4/Function"
