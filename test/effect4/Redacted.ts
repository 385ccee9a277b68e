export * from "effect4/Redacted"
