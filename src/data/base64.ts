/** Bytes as Base64. */
export const base64Of = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))

/** The bytes of Base64; throws on what is none. */
export const bytesOfBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

/** The bytes of Base64 in either alphabet, that of urls too, with its padding or without; throws on what is none. */
export const bytesOfAnyBase64 = (text: string): Uint8Array =>
  bytesOfBase64(text.replaceAll("-", "+").replaceAll("_", "/"))
