/**
 * Accounts that a signing server of one's own has, over HTTP: `effect-chains/accounts/remote`.
 *
 * ```ts
 * const account = await remote({ url: "https://signer.internal", token, account: "treasury" })
 * ```
 *
 * @since 0.1.0
 */
import { InvalidArgument, InvalidKey, reasonOf, SigningFailed } from "../data/SdkError.js"
import { isRecord, readMember } from "../data/untrusted.js"
import type { Account } from "../signers/Signer.js"
import { callWithin } from "./callWithin.js"
import { accountPath, bytesFromHex, encodeRequest, signPath } from "./contract.js"
import { checkOptions } from "./options.js"

export type { Account, FromAccount, KeyScheme, SigningRequest } from "../signers/Signer.js"

/**
 * An account of a signing server. `url` is that of the server, with a path if it has one; `token` is what the server knows this client by;
 * `account` is the account's id there.
 *
 * @since 0.1.0
 * @category models
 */
export interface RemoteOptions {
  readonly url: string
  readonly token: string
  readonly account: string
  /** The milliseconds that an answer may take, with the person who may be asked (default: 60,000). */
  readonly timeout?: number
  /** The function that sends requests (default: the runtime's `fetch`). */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

const DEFAULT_TIMEOUT_MS = 60_000

const toBase = (url: string): string => {
  const problem = new InvalidArgument({
    call: "remote",
    reason: "url must be an absolute url of http or https"
  })
  try {
    const { origin, pathname, protocol } = new URL(url)
    if (!/^https?:$/.test(protocol)) throw problem
    return `${origin}${pathname.replace(/\/+$/, "")}`
  } catch {
    throw problem
  }
}

/** The JSON of an answer; undefined if it is none. */
const readJson = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The words of a server that does not sign. */
const refusalOf = (status: number, body: unknown): string => {
  const message = readMember(readMember(body, "error"), "message")
  return typeof message === "string" ? message : `it answers with ${status}`
}

/** Sends requests to a server. The token is in no error. */
const makeSend = ({ fetch = globalThis.fetch, timeout = DEFAULT_TIMEOUT_MS, token, url }: RemoteOptions) => {
  const base = toBase(url)
  const limits = {
    name: "the signing server",
    timeout,
    hide: (text: string) => text.replaceAll(token, "…")
  }
  return (path: string, body?: string): Promise<unknown> =>
    callWithin(limits, async (signal) => {
      const response = await fetch(`${base}${path}`, {
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { method: "POST", body }),
        // a token is for nobody else
        redirect: "error",
        signal
      })
      const answer = await readJson(response)
      if (!response.ok) throw new Error(refusalOf(response.status, answer))
      return answer
    })
}

/**
 * The account of a signing server. Reads its public key, and sends each request to sign with what it stands for, so that the server can
 * check it. Rejects with `SigningFailed` if the server does not answer or refuses, with `InvalidKey` if its answer is no public key, and
 * with `InvalidArgument` if the options cannot be used. A refusal of a signature is `SigningFailed` of the signer, in the words of the server.
 *
 * @since 0.1.0
 * @category constructors
 */
export const remote = async (options: RemoteOptions): Promise<Account> => {
  checkOptions("remote", options, { texts: ["url", "token", "account"] })
  const { account, token } = options
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new InvalidArgument({ call: "remote", reason: "token must be printable characters without spaces" })
  const send = makeSend(options)
  const found = await send(accountPath(account)).catch((error: unknown) => {
    throw new SigningFailed({ reason: reasonOf(error) })
  })
  const { publicKey, scheme } = isRecord(found) ? found : {}
  if ((scheme !== "secp256k1" && scheme !== "ed25519") || typeof publicKey !== "string")
    throw new InvalidKey({ reason: "the answer of the signing server has no scheme and publicKey" })
  return {
    scheme,
    publicKey,
    sign: async (request) => {
      const answer = await send(signPath(account), encodeRequest(request))
      const signature = bytesFromHex(readMember(answer, "signature"))
      if (signature === undefined) throw new Error("the signing server: its answer has no signature")
      return signature
    }
  }
}
