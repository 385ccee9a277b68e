/**
 * Contracts of the provider's templates: deploying them, and the data that deploys them from a wallet of one's own.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Config } from "../config/Config.js"
import type { Uncovered } from "../data/Coverage.js"
import { networksServedBy } from "../data/dataRoutes.js"
import type * as Network from "../data/Network.js"
import {
  type GatewayCallError,
  type InvalidArgument,
  type LoadError,
  NotSupportedForNetwork
} from "../data/SdkError.js"
import { hasService } from "../data/serviceCoverage.js"
import type { TransactionId } from "./DataApi.js"
import { Gateway } from "./Gateway.js"
import { NonEmptyText, oneOfWords, queryStruct } from "./internal/dataInput.js"
import { makeAnswerReader, makeInputCheck } from "./internal/schema.js"

/**
 * The provider's templates: ERC-721 (`nft`), ERC-20 (`fungible`) and ERC-1155 (`multitoken`), or what the chain has
 * instead of them.
 *
 * @since 0.1.0
 * @category models
 */
export type ContractType = "nft" | "fungible" | "multitoken"

/**
 * A contract to deploy: its template, its owner, and the template's fields.
 *
 * @since 0.1.0
 * @category models
 */
export interface NewContract {
  readonly contractType: ContractType
  readonly owner: string
  readonly [field: string]: unknown
}

/**
 * A deployment to prepare: the template, and the arguments of its constructor in their order.
 *
 * @since 0.1.0
 * @category models
 */
export interface Preparation {
  readonly contractType: ContractType
  readonly params: ReadonlyArray<unknown>
}

/**
 * The errors of the calls for contracts.
 *
 * @since 0.1.0
 * @category errors
 */
export type ContractError<N extends Network.AnyNetwork = Network.Network> =
  | GatewayCallError
  | LoadError
  | InvalidArgument
  | Uncovered<N, "contract", NotSupportedForNetwork>

/**
 * Contracts of the provider's templates.
 *
 * @since 0.1.0
 * @category models
 */
export interface ContractService<N extends Network.AnyNetwork = Network.Network> {
  /** Deploys a contract, which the provider pays for; never sent twice. */
  readonly deploy: (contract: NewContract) => Effect.Effect<TransactionId, ContractError<N>>
  /** The data (hexadecimal) of the transaction that deploys a contract, to be sent from one's own wallet. */
  readonly prepare: (preparation: Preparation) => Effect.Effect<{ readonly data: string }, ContractError<N>>
}

/**
 * Contracts of the provider's templates, as a service.
 *
 * @since 0.1.0
 * @category services
 */
export class Contract extends /*#__PURE__*/ Context.Tag("effect-chains/services/Contract")<
  Contract,
  ContractService
>() {}

const Template = oneOfWords("nft", "fungible", "multitoken")
const checkNew = makeInputCheck(
  "contract.deploy",
  Schema.Struct(
    { contractType: Template, owner: NonEmptyText },
    { key: Schema.String, value: Schema.Unknown }
  )
)
const checkPreparation = makeInputCheck(
  "contract.prepare",
  queryStruct({ contractType: Template, params: Schema.Array(Schema.Unknown) })
)

const Hex = Schema.String.pipe(
  Schema.pattern(/^(0x)?([0-9a-fA-F]{2})+$/, { message: () => "must be hexadecimal" })
)
const readPrepared = makeAnswerReader("contract.prepare", Schema.Struct({ data: Hex }))

/**
 * The answer to a deployment or a minting.
 *
 * @since 0.1.0
 * @category operations
 */
export const readTransaction = makeAnswerReader("contract/deploy", Schema.Struct({ txId: NonEmptyText }))

/**
 * Makes the service over the provider's REST API.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<ContractService, never, Config | Gateway> = Effect.gen(function* () {
  const config = yield* Config
  const { network } = config
  const gateway = yield* Gateway
  const supported: Effect.Effect<void, NotSupportedForNetwork> = hasService(config, "contract")
    ? Effect.void
    : Effect.fail(
        new NotSupportedForNetwork({
          network,
          feature: "contract",
          networks: networksServedBy("deployments")
        })
      )
  return {
    deploy: (contract) =>
      Effect.zipRight(supported, checkNew(contract)).pipe(
        Effect.flatMap((fields) =>
          gateway.request({
            method: "POST",
            path: "contract/deploy",
            body: { ...fields, chain: network },
            write: true
          })
        ),
        Effect.flatMap(readTransaction)
      ),
    prepare: (preparation) =>
      Effect.zipRight(supported, checkPreparation(preparation)).pipe(
        Effect.flatMap((body) => gateway.request({ method: "POST", path: "contract/deploy/prepare", body })),
        Effect.flatMap(readPrepared)
      )
  }
})

/**
 * The service as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Contract, never, Config | Gateway> = /*#__PURE__*/ Layer.effect(
  Contract,
  make
)
