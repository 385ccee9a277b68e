declare module "virtual:effect-chains-methods" {
  import type { Method } from "./model.js"

  const loaders: Readonly<
    Record<string, (() => Promise<{ readonly default: ReadonlyArray<Method> }>) | undefined>
  >
  export default loaders
}
