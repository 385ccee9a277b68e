/** Resolves `effect` to Effect 4, which this repository has as `effect4`. */
export const resolve = (specifier, context, next) =>
  next(specifier.replace(/^effect(?=\/|$)/, "effect4"), context)
