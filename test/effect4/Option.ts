export * from "effect4/Option"
