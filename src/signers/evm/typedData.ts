/** Checks the bytes in typed data (EIP-712): invalid hexadecimal text would be signed as other bytes. */
import { hexBytes } from "../../data/bytes.js"
import { isRecord } from "../../data/untrusted.js"
import type { TypedDataDefinition } from "./Types.js"

const checkValue = (
  types: TypedDataDefinition["types"],
  type: string,
  value: unknown,
  path: string
): unknown => {
  const item = /^(.*)\[\d*\]$/.exec(type)?.[1]
  if (item !== undefined)
    return Array.isArray(value) ? value.map((one, i) => checkValue(types, item, one, `${path}[${i}]`)) : value
  const size = /^bytes(\d*)$/.exec(type)?.[1]
  if (size !== undefined) return hexBytes(value, path, size === "" ? undefined : Number(size))
  const fields = Object.hasOwn(types, type) ? types[type] : undefined
  if (!Array.isArray(fields) || !isRecord(value)) return value
  const found = fields.flatMap(
    ({ name, type: inner }): ReadonlyArray<readonly [string, unknown]> =>
      Object.hasOwn(value, name) ? [[name, checkValue(types, inner, value[name], `${path}.${name}`)]] : []
  )
  return { ...value, ...Object.fromEntries(found) }
}

/** Typed data whose bytes fit their types, as hexadecimal with 0x. Throws otherwise, and names the path of the value. */
export const checkTypedData = (data: TypedDataDefinition): TypedDataDefinition => {
  const { domain, message, primaryType, types } = data
  if (!isRecord(types) || !isRecord(message)) return data
  const salt: unknown = domain?.salt
  return {
    ...data,
    ...(salt === undefined || salt === null
      ? {}
      : { domain: { ...domain, salt: hexBytes(salt, "domain.salt", 32) } }),
    // a record of a struct stays one
    message: checkValue(types, primaryType, message, "message") as TypedDataDefinition["message"]
  }
}
