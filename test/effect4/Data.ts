export * from "effect4/Data"
