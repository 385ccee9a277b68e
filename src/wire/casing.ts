import type { Casing } from "../data/Endpoint.js"

/** `blockFrom` as `block_from`, `block-from` or `block.from`. Names that are not camelCase (`Permission_id`) pass unchanged. */
export const recase = (name: string, casing: Casing): string =>
  casing === "camel" || name.includes("_")
    ? name
    : name.replace(
        /[A-Z]/g,
        (letter, at: number) =>
          `${at === 0 ? "" : casing === "snake" ? "_" : casing === "dash" ? "-" : "."}${letter.toLowerCase()}`
      )

/**
 * The same for all names of a value, except inside the fields that are kept: by name, or as `parent.name` only where they
 * stand in that parent. Elements that are no objects stay as they are.
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
