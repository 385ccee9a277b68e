/**
 * Effect 4 reads the environment once, at the first configuration, and keeps it. Tests set variables of a running process: the provider that
 * is there without another one reads them anew for each value. It is a setup file, which comes before the first configuration.
 */
import * as Providers from "effect4/ConfigProvider"

Object.assign(Providers.ConfigProvider, {
  defaultValue: () => Providers.make((path) => Providers.fromEnv().load(path))
})
