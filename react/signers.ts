"use client"

import * as Effect from "effect/Effect"
import * as React from "react"
import type { Sdk } from "../src/client/Sdk.js"
/**
 * Signers in React, of any family: `effect-chains/react/signers`. The first signer loads the library that signs.
 *
 * ```tsx
 * import { make } from "effect-chains/effect/signers/Solana"
 *
 * const { data: signer } = useSigner(make, { mnemonic: Redacted.make(words) })
 * const { run } = useSend(signer)
 * await run({ to, amount: "1.5", confirmations: 1 })
 * ```
 *
 * @since 0.1.0
 */
import type { OnThisEffect } from "../src/data/effectVersion.js"
import type { AnyNetwork, Network } from "../src/data/Network.js"
import { type InitError, InvalidArgument, type SigningFailed, type Unexpected } from "../src/data/SdkError.js"
import type { EvmSigner } from "../src/signers/Evm.js"
import type { Payment, SendError, SendOptions, Sent, Signer, SignerError } from "../src/signers/Signer.js"
import { type ResultRx, refetchIfStale } from "./CacheEntry.js"
import { type NetworkClient, useNetworkClient } from "./ClientStore.js"
import { type AnyWriteOptions, asHook, type ErrorWithMessage, useWriteCalls } from "./calls.js"
import { makeReadRx, withClient } from "./Reactive.js"
import * as Rx from "./Rx.js"
import { type PageWalletError, pageSigner } from "./signing.js"
import type {
  DefaultNetwork,
  LiveOptions,
  NetworkOptions,
  Reading,
  SuspenseReading,
  WriteHandle,
  WriteOptions
} from "./types.js"
import { type UseRx, useObservedRx, useSuspenseRx } from "./useRx.js"
import { isEqual } from "./values.js"

type MakeSigner = (client: never, from: never) => Effect.Effect<unknown, ErrorWithMessage>

/** A signer that lives as long as its client. It is found by the value of `from`, without a cache key: a key must not contain a secret. */
interface CachedSigner {
  readonly make: MakeSigner
  readonly from: unknown
  readonly rx: ResultRx
}

const signersByClient = new WeakMap<NetworkClient, Array<CachedSigner>>()

/**
 * The signer for these arguments. It has no cache entry: nothing invalidates or hydrates it, and it must stay the same object, since it
 * counts its own nonces.
 */
const findOrMakeSigner = (client: NetworkClient, make: MakeSigner, from: unknown): ResultRx => {
  const signers = signersByClient.get(client) ?? []
  signersByClient.set(client, signers)
  const existing = signers.find((each) => each.make === make && isEqual(each.from, from))
  if (existing !== undefined) return existing.rx
  const signer = makeReadRx((get) =>
    // `make` itself fails for a client of another family
    withClient(get.result(client.ready), (sdk) => make(sdk as never, from as never))
  )
  const rx = Rx.keepAlive(signer)
  signers.push({ make, from, rx })
  return rx
}

const makeSignerHook =
  (useRx: UseRx) =>
  (
    make: MakeSigner,
    from: unknown,
    { enabled = true, ...options }: LiveOptions<AnyNetwork, unknown> = {}
  ) => {
    const client = useNetworkClient(options.network)
    const { ready, registry } = client
    const isEnabled = enabled && from !== undefined
    const rx: ResultRx = from === undefined ? ready : findOrMakeSigner(client, make, from)
    // a component that mounts retries a failed signer
    React.useEffect(() => {
      if (isEnabled) refetchIfStale(registry, rx, Number.POSITIVE_INFINITY)
    }, [registry, rx, isEnabled])
    return useRx(client, rx, { ...options, enabled: isEnabled }).reading
  }

/**
 * The signer of an account, by `make` of its family and the second argument of that. Components with equal arguments share one signer.
 * With `undefined` as the second argument the hook is idle.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSigner: <C, From, S, E, N extends AnyNetwork = DefaultNetwork>(
  make: OnThisEffect<(client: C, from: From) => Effect.Effect<S, E>>,
  from: NoInfer<From> | undefined,
  options?: LiveOptions<N, S>
) => Reading<S, E | InitError | Unexpected> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeSignerHook(useObservedRx)
)

/**
 * The Suspense twin of {@link useSigner}: suspends until there is a signer, and throws the error if it cannot be made.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSuspenseSigner: <C, From, S, E, N extends AnyNetwork = DefaultNetwork>(
  make: (client: C, from: From) => Effect.Effect<S, E>,
  from: NoInfer<From>,
  options?: Omit<LiveOptions<N, S>, "enabled">
) => SuspenseReading<S, E | InitError | Unexpected> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeSignerHook(useSuspenseRx)
)

type AnyPayment = Payment & SendOptions

/**
 * The errors of {@link useSend}.
 *
 * @since 0.1.0
 * @category errors
 */
export type SendFailure = SendError | InitError | Unexpected

/**
 * Options of {@link useSend}.
 *
 * @since 0.1.0
 * @category models
 */
export type UseSendOptions = Omit<WriteOptions<AnyNetwork, readonly [payment: AnyPayment]>, "network">

const noSigner = /*#__PURE__*/ Effect.fail(
  /*#__PURE__*/ new InvalidArgument({
    call: "send",
    reason: "there is no signer yet: wait until useSigner has it"
  })
)

/**
 * Pays with a signer, in the chain's coin or in a `token`: `await run({ to, amount: "1.5", confirmations: 1 })`. Each call of `run` is one
 * payment.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSend: <Tx>(
  signer: Pick<Signer<Tx>, "network" | "send" | "sendToken"> | undefined,
  options?: UseSendOptions
) => WriteHandle<readonly [payment: AnyPayment], Sent<Tx>, SendFailure> = /*#__PURE__*/ asHook(
  (signer: Pick<Signer<unknown>, "network" | "send" | "sendToken"> | undefined, options?: UseSendOptions) =>
    // the type of the hook allows one argument
    useWriteCalls(
      { ...options, ...(signer && { network: signer.network }) } as AnyWriteOptions,
      (_, args) => {
        const [payment] = args as readonly [AnyPayment]
        if (signer === undefined) return noSigner
        return payment?.token === undefined
          ? signer.send(payment)
          : signer.sendToken({ ...payment, token: payment.token })
      }
    )
)

/**
 * The errors of hooks that sign.
 *
 * @since 0.1.0
 * @category errors
 */
export type SignFailure = SigningFailed | PageWalletError | InitError | Unexpected

/**
 * Options of hooks that sign: the signer, by default the page's wallet.
 *
 * @since 0.1.0
 * @category models
 */
export interface SignOptions<S, N extends AnyNetwork = Network> extends NetworkOptions<N> {
  readonly signer?: S | undefined
}

const makeSignHook =
  <S>(sign: (signer: S, data: never) => Effect.Effect<unknown, ErrorWithMessage>) =>
  ({ network, signer }: SignOptions<S> = {}) =>
    useWriteCalls(network === undefined ? {} : { network }, (sdk: Sdk, [data]) => {
      // the page's wallet is an EVM signer: it has both functions that `sign` may call
      const account =
        signer === undefined ? (pageSigner(sdk) as Effect.Effect<S, PageWalletError>) : Effect.succeed(signer)
      return Effect.flatMap(account, (signer) => sign(signer, data as never))
    })

type MessageSigner = Pick<EvmSigner, "signMessage">

/**
 * Signs a message with the page's wallet, or with a signer of any family: `await run("I own this address.")`.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSignMessage: <N extends AnyNetwork = DefaultNetwork>(
  options?: SignOptions<MessageSigner, N>
) => WriteHandle<readonly [message: string | Uint8Array], string, SignFailure> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeSignHook(({ signMessage }: MessageSigner, message: string) => signMessage(message))
)

type TypedDataSigner = Pick<EvmSigner, "signTypedData">

/**
 * Signs typed data (EIP-712) with the page's wallet, or with a signer. Its chain must be the network's.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSignTypedData: <N extends AnyNetwork = DefaultNetwork>(
  options?: SignOptions<TypedDataSigner, N>
) => WriteHandle<Parameters<EvmSigner["signTypedData"]>, string, SignFailure | SignerError> =
  /*#__PURE__*/ asHook(
    /*#__PURE__*/ makeSignHook(
      ({ signTypedData }: TypedDataSigner, data: Parameters<EvmSigner["signTypedData"]>[0]) =>
        signTypedData(data)
    )
  )
