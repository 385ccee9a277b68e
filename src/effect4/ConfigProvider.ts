import * as Provider from "effect4/ConfigProvider"

export * from "effect4/ConfigProvider"

/** A path is a list, whose names are mapped one by one. */
export const mapInputPath = (
  self: Provider.ConfigProvider,
  f: (name: string) => string
): Provider.ConfigProvider =>
  Provider.mapInput(self, (path) => path.map((part) => (typeof part === "string" ? f(part) : part)))

/** Values by their names, an empty one too. */
export const fromMap = (values: ReadonlyMap<string, string>): Provider.ConfigProvider =>
  Provider.fromEnvRecord(Object.fromEntries(values), { preserveEmptyStrings: true })

/** The other provider is given as it is. */
export const orElse = (
  self: Provider.ConfigProvider,
  that: () => Provider.ConfigProvider
): Provider.ConfigProvider => Provider.orElse(self, that())
