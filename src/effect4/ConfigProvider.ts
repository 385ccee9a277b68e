import * as Provider from "effect4/ConfigProvider"

export * from "effect4/ConfigProvider"

/** A path is a list, whose names are mapped one by one. */
export const mapInputPath = (
  self: Provider.ConfigProvider,
  f: (name: string) => string
): Provider.ConfigProvider =>
  Provider.mapInput(self, (path) => path.map((part) => (typeof part === "string" ? f(part) : part)))
