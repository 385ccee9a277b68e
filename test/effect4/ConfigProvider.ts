import * as Provider from "effect4/ConfigProvider"

export * from "../../src/effect4/ConfigProvider.js"

export const fromMap = (map: ReadonlyMap<string, string>): Provider.ConfigProvider =>
  Provider.fromUnknown(Object.fromEntries(map))
