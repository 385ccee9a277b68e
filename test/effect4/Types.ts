export * from "effect4/Types"
