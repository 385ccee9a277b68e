import type { Casing } from "../Endpoint.js"

/** `blockFrom` as `block_from` or `block-from`. Names that are not camelCase pass unchanged. */
export const recase = (name: string, casing: Casing): string =>
  casing === "camel"
    ? name
    : name.replace(/[A-Z]/g, (letter, at: number) => `${at === 0 ? "" : casing === "snake" ? "_" : "-"}${letter.toLowerCase()}`)
