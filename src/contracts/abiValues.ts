/** The values of an ABI's parameters, leaf by leaf. */
import type { AbiParameter } from "abitype"
import { hexBytes } from "../data/bytes.js"
import { isRecord } from "../data/untrusted.js"

/** What becomes of one value, which is neither a list nor a tuple, at its place (`args[1].data`). */
type RewriteValue = (type: string, value: unknown, place: string) => unknown

const mapValue = (parameter: AbiParameter, value: unknown, place: string, rewrite: RewriteValue): unknown => {
  const item = /^(.*)\[\d*\]$/.exec(parameter.type)?.[1]
  if (item !== undefined)
    return Array.isArray(value)
      ? value.map((one, i) => mapValue({ ...parameter, type: item }, one, `${place}[${i}]`, rewrite))
      : value
  if (!("components" in parameter)) return rewrite(parameter.type, value, place)
  if (Array.isArray(value)) return mapValues(parameter.components, value, place, rewrite)
  return isRecord(value)
    ? Object.fromEntries(
        parameter.components.map((part) => {
          const name = part.name ?? ""
          return [
            name,
            mapValue(part, Object.hasOwn(value, name) ? value[name] : undefined, `${place}.${name}`, rewrite)
          ]
        })
      )
    : value
}

const mapValues = (
  parameters: ReadonlyArray<AbiParameter>,
  values: ReadonlyArray<unknown>,
  place: string,
  rewrite: RewriteValue
): ReadonlyArray<unknown> =>
  values.map((value, i) => {
    const parameter = parameters[i]
    return parameter === undefined ? value : mapValue(parameter, value, `${place}[${i}]`, rewrite)
  })

/** Converts each address in a value, at any depth. The encoder refuses addresses that are not text. */
export const mapAddresses = (
  parameters: ReadonlyArray<AbiParameter>,
  values: ReadonlyArray<unknown>,
  rewrite: (address: string) => string
): ReadonlyArray<unknown> =>
  mapValues(parameters, values, "args", (type, value) =>
    type === "address" && typeof value === "string" ? rewrite(value) : value
  )

/** The addresses in a value, at any depth. They are checked, since a mistyped address loses what is sent to it. */
export const collectAddresses = (
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

const bytesType = /^bytes(\d*)$/

const checkBytesLeaf: RewriteValue = (type, value, place) => {
  const size = bytesType.exec(type)?.[1]
  return size === undefined ? value : hexBytes(value, place, size === "" ? undefined : Number(size))
}

/** Converts the bytes of a value for the encoder. Throws on text that is not hexadecimal or has another length. */
export const checkValue = (parameter: AbiParameter, value: unknown, place: string): unknown =>
  mapValue(parameter, value, place, checkBytesLeaf)

/** The same of the values of several parameters. */
export const checkBytes = (
  parameters: ReadonlyArray<AbiParameter>,
  values: ReadonlyArray<unknown>
): ReadonlyArray<unknown> => mapValues(parameters, values, "args", checkBytesLeaf)
