export * from "effect4/Exit"
