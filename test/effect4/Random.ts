export * from "effect4/Random"
