import * as Redacted from "effect/Redacted"
import { findSecretsInUrl, isCommonWord, makeHideSecrets } from "../data/secrets.js"
import type { HideSecrets } from "../data/untrusted.js"
import type { ResolvedConfig } from "./Config.js"
import { isProviderUrl } from "./resolveConfig.js"
import { version } from "./version.js"

/** The SDK's headers for the provider's hosts (specification, section 7). */
const makeSdkHeaders = (config: Pick<ResolvedConfig, "verbose">): Readonly<Record<string, string>> => ({
  "content-type": "application/json",
  "x-ttm-sdk-version": version,
  "x-ttm-sdk-product": "JS",
  "x-ttm-sdk-debug": String(config.verbose)
})

/** The header with the API key. */
export const makeKeyHeader = (
  config: ResolvedConfig,
  api: "V3" | "V4" = config.version
): Readonly<Record<string, string>> => {
  const key = config.apiKey[api]
  return key === undefined ? {} : { "x-api-key": Redacted.value(key) }
}

/**
 * The headers of requests to a url. The key is sent to the provider's hosts, and to nodes whose entry has
 * `sendApiKey`. Requests to other hosts without a body have no content type, which would cost a CORS preflight.
 */
export const makeHeaders = (
  config: ResolvedConfig,
  url: string,
  options: { readonly body: boolean; readonly sendApiKey?: boolean; readonly api?: "V3" | "V4" }
): Readonly<Record<string, string>> => {
  const own = isProviderUrl(config, url)
  return {
    ...(own || config.sendSdkHeaders
      ? makeSdkHeaders(config)
      : options.body
        ? { "content-type": "application/json" }
        : {}),
    ...(own || options.sendApiKey === true ? makeKeyHeader(config, options.api) : {})
  }
}

/** Headers without secrets. */
const PUBLIC_HEADER = /^(content-type|accept|user-agent|x-ttm-.*)$/i

/** The secrets of `Authorization: Basic …`: the user info, the user and the password. */
const decodeBasicAuth = (encoded: string): ReadonlyArray<string> => {
  try {
    const info = new TextDecoder().decode(Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0)))
    const colon = info.indexOf(":")
    return colon === -1 ? [] : [info, info.slice(0, colon), info.slice(colon + 1)]
  } catch {
    return []
  }
}

const findHeaderSecrets = (headers: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(headers)
    .filter(([name]) => !PUBLIC_HEADER.test(name))
    .flatMap(([, value]) => {
      const credentials = value.replace(/^\w+ +/, "")
      return [value, credentials, ...decodeBasicAuth(credentials)].filter((text) => !isCommonWord(text))
    })

/**
 * Makes a function that hides a client's secrets in text: its keys, and those in the urls and headers of its nodes.
 */
export const makeSecretHider = ({
  apiKey,
  nodes = []
}: Partial<Pick<ResolvedConfig, "apiKey" | "nodes">>): HideSecrets =>
  makeHideSecrets([
    ...[apiKey?.V3, apiKey?.V4].flatMap((key) => (key === undefined ? [] : [Redacted.value(key)])),
    ...nodes
      .flatMap((node) => [
        node,
        ...(node.socket === undefined ? [] : [node.socket]),
        ...Object.values(node.servers ?? {})
      ])
      .flatMap(({ headers, url }) => [...findSecretsInUrl(url), ...findHeaderSecrets(headers)])
  ])
