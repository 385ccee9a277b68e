/** The input of a route whose lists are one value with commas, not a name repeated. */
export const joinWithCommas = (input?: object): Readonly<Record<string, unknown>> => {
  if ((typeof input !== "object" && input !== undefined) || input === null || Array.isArray(input)) {
    throw new Error("the input must be an object")
  }
  return Object.fromEntries(
    Object.entries(input ?? {}).map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : value])
  )
}
