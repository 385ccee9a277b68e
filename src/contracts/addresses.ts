/** The addresses among the values of an ABI's parameters. */
import type { AbiParameter } from "abitype"
import { isRecord } from "../data/foreign.js"

type Rewrite = (address: string) => string

const mapped = (parameter: AbiParameter, value: unknown, rewrite: Rewrite): unknown => {
  const item = /^(.*)\[\d*\]$/.exec(parameter.type)?.[1]
  if (item !== undefined)
    return Array.isArray(value)
      ? value.map((one) => mapped({ ...parameter, type: item }, one, rewrite))
      : value
  if (!("components" in parameter))
    // what is no text is refused where it is encoded
    return parameter.type === "address" && typeof value === "string" ? rewrite(value) : value
  if (Array.isArray(value)) return mapAddresses(parameter.components, value, rewrite)
  return isRecord(value)
    ? Object.fromEntries(
        parameter.components.map((part) => [part.name, mapped(part, value[part.name ?? ""], rewrite)])
      )
    : value
}

/** The same values, of which every address, at any depth, is written in another way. */
export const mapAddresses = (
  parameters: ReadonlyArray<AbiParameter>,
  values: ReadonlyArray<unknown>,
  rewrite: Rewrite
): ReadonlyArray<unknown> =>
  values.map((value, i) => {
    const parameter = parameters[i]
    return parameter === undefined ? value : mapped(parameter, value, rewrite)
  })

/** The addresses among values, at any depth: whoever mistypes one sends to nobody. */
export const addressesIn = (
  parameters: ReadonlyArray<AbiParameter>,
  values: ReadonlyArray<unknown>
): ReadonlyArray<string> => {
  const found: Array<string> = []
  mapAddresses(parameters, values, (address) => {
    found.push(address)
    return address
  })
  return found
}
