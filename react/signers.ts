"use client"

/**
 * Signers in React, of any family: `effect-chains/react/signers`. Libraries that sign are loaded with the first signer.
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
import { Rx } from "@effect-rx/rx-react"
import * as Effect from "effect/Effect"
import * as React from "react"
import type { Sdk } from "../src/client/Sdk.js"
import type { AnyNetwork, Network } from "../src/data/Network.js"
import { type InitError, InvalidArgument, type SigningFailed, type Unexpected } from "../src/data/SdkError.js"
import type { EvmSigner } from "../src/signers/Evm.js"
import type {
  Payment,
  PrepareError,
  SendOptions,
  Sent,
  Signer,
  SignerError,
  SubmitError
} from "../src/signers/Signer.js"
import { refetchIfStale } from "./CacheEntry.js"
import { type AnyWriteOptions, asHook, type ErrorWithMessage, useWriteCalls } from "./calls.js"
import { makeReadRx, withClient } from "./Reactive.js"
import { type Source, type UseSource, useSource, useSuspenseSource } from "./ReadObserver.js"
import { type NetworkEntry, useNetworkEntry } from "./SdkProvider.js"
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
import { isEqual } from "./values.js"

type MakeSigner = (client: never, from: never) => Effect.Effect<unknown, ErrorWithMessage>

/** A signer that is there as long as its client, and what it was made from, which stands in no key. */
interface CachedSigner {
  readonly make: MakeSigner
  readonly from: unknown
  readonly rx: Source
}

const signersByEntry = new WeakMap<NetworkEntry, Array<CachedSigner>>()

/**
 * The signer that is made from this. It is no read: nobody says that it is out of date, no page brings it along, and it numbers its
 * payments from its first one on.
 */
const findOrMakeSigner = (entry: NetworkEntry, make: MakeSigner, from: unknown): Source => {
  const known = signersByEntry.get(entry) ?? []
  signersByEntry.set(entry, known)
  const kept = known.find((each) => each.make === make && isEqual(each.from, from))
  if (kept !== undefined) return kept.rx
  const made = makeReadRx((get) =>
    // a client of another family has no such calls, and the signer's own check says so
    withClient(get.result(entry.ready), (sdk) => make(sdk as never, from as never))
  )
  const rx = Rx.keepAlive(made)
  known.push({ make, from, rx })
  return rx
}

const makeSignerHook =
  (use: UseSource) =>
  (
    make: MakeSigner,
    from: unknown,
    { enabled = true, ...options }: LiveOptions<AnyNetwork, unknown> = {}
  ) => {
    const entry = useNetworkEntry(options.network)
    const { ready, registry } = entry
    const isWanted = enabled && from !== undefined
    const rx: Source = from === undefined ? ready : findOrMakeSigner(entry, make, from)
    // a component that comes tries again what has failed
    React.useEffect(() => {
      if (isWanted) refetchIfStale(registry, rx, Number.POSITIVE_INFINITY)
    }, [registry, rx, isWanted])
    return use(entry, rx, { ...options, enabled: isWanted }).reading
  }

/**
 * The signer of an account: `make` of its family, and what that takes. Components that are given the same have the same signer. Without
 * anything to make it from (`undefined`) the hook is idle.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSigner: <C, From, S, E, N extends AnyNetwork = DefaultNetwork>(
  make: (client: C, from: From) => Effect.Effect<S, E>,
  from: NoInfer<From> | undefined,
  options?: LiveOptions<N, S>
) => Reading<S, E | InitError | Unexpected> = /*#__PURE__*/ asHook(/*#__PURE__*/ makeSignerHook(useSource))

/**
 * The Suspense twin of {@link useSigner}: throws the promise of the signer, and the error if there is none. It has to be given something to
 * make it from.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSuspenseSigner: <C, From, S, E, N extends AnyNetwork = DefaultNetwork>(
  make: (client: C, from: From) => Effect.Effect<S, E>,
  from: NoInfer<From>,
  options?: Omit<LiveOptions<N, S>, "enabled">
) => SuspenseReading<S, E | InitError | Unexpected> = /*#__PURE__*/ asHook(
  /*#__PURE__*/ makeSignerHook(useSuspenseSource)
)

type AnyPayment = Payment & SendOptions

/**
 * The errors of a hook that pays.
 *
 * @since 0.1.0
 * @category errors
 */
export type SendFailure = PrepareError | SubmitError | InvalidArgument | InitError | Unexpected

/**
 * Options of {@link useSend}: those of hooks that write.
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
 * Pays with a signer, in the chain's coin or with `token` in that: `await run({ to, amount: "1.5", confirmations: 1 })`. Each call is one
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
    // the only argument, by the type of the hook
    useWriteCalls(
      { ...options, ...(signer && { network: signer.network }) } as AnyWriteOptions,
      (_, [payment]) => {
        const wanted = payment as AnyPayment
        if (signer === undefined) return noSigner
        return wanted?.token === undefined
          ? signer.send(wanted)
          : signer.sendToken({ ...wanted, token: wanted.token })
      }
    )
)

/**
 * The errors of a hook that has something signed.
 *
 * @since 0.1.0
 * @category errors
 */
export type SignFailure = SigningFailed | PageWalletError | InitError | Unexpected

/**
 * Options of hooks that have something signed: the signer, by default the wallet of the page.
 *
 * @since 0.1.0
 * @category models
 */
export interface SignOptions<S, N extends AnyNetwork = Network> extends NetworkOptions<N> {
  readonly signer?: S | undefined
}

const makeSignHook =
  <S>(sign: (by: S, given: never) => Effect.Effect<unknown, ErrorWithMessage>) =>
  ({ network, signer }: SignOptions<S> = {}) =>
    useWriteCalls(network === undefined ? {} : { network }, (client: Sdk, [given]) => {
      // wallets of pages are those of EVM chains, which sign all of this
      const account =
        signer === undefined
          ? (pageSigner(client) as Effect.Effect<S, PageWalletError>)
          : Effect.succeed(signer)
      return Effect.flatMap(account, (by) => sign(by, given as never))
    })

type MessageSigner = Pick<EvmSigner, "signMessage">

/**
 * Has the wallet of the page, or a signer of any family, sign a message: `await run("I own this address.")`.
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
 * Has the wallet of the page, or a signer, sign typed data (EIP-712). Its chain has to be the network's.
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
