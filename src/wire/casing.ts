import type { Casing } from "../data/Endpoint.js"

/** Converts `blockFrom` to `block_from`, `block-from` or `block.from`. Names that are not camelCase (`Permission_id`) stay unchanged. */
export const recase = (name: string, casing: Casing): string =>
  casing === "camel" || name.includes("_")
    ? name
    : name.replace(
        /[A-Z]/g,
        (letter, at: number) =>
          `${at === 0 ? "" : casing === "snake" ? "_" : casing === "dash" ? "-" : "."}${letter.toLowerCase()}`
      )

/**
 * Converts all names in a value. Fields in `keep` (`name`, or `parent.name` for that parent only) are converted themselves, but their content is
 * not.
 */
export const recaseDeep = (
  value: unknown,
  casing: Casing,
  keep: ReadonlyArray<string>,
  parent = ""
): unknown => {
  if (casing === "camel") return value
  if (Array.isArray(value)) return value.map((item) => recaseDeep(item, casing, keep, parent))
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      recase(name, casing),
      keep.includes(name) || keep.includes(`${parent}.${name}`) ? item : recaseDeep(item, casing, keep, name)
    ])
  )
}
