/**
 * Contracts of the provider's templates: the provider deploys them and mints with them.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import { Invalid, Unavailable } from "./Refusal.js"

/**
 * An EVM address: 0x and 40 hexadecimal digits, in any case.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Address = Schema.TemplateLiteral("0x", Schema.String).pipe(
  Schema.filter((text) => /^0x[0-9a-fA-F]{40}$/.test(text), {
    message: () => "must be an address: 0x and 40 hexadecimal digits"
  })
)

const NonBlank = Schema.NonEmptyString.annotations({ message: () => "must be a text that is not empty" })
const TokenId = Schema.String.pipe(
  Schema.pattern(/^\d{1,78}$/, { message: () => "must be a decimal number as text" })
)
/** The SDK sends text, other clients send numbers. */
const Decimals = Schema.Union(Schema.Number, Schema.NumberFromString).pipe(
  Schema.filter((value) => Number.isInteger(value) && value >= 0 && value <= 255, {
    message: () => "must be an integer from 0 to 255"
  })
)
const Amount = Schema.String.pipe(
  Schema.pattern(/^\d+(\.\d+)?$/, { message: () => "must be a decimal number as text" })
)
const deploymentFields = { chain: NonBlank, owner: Address, minter: Schema.optional(Address) }

/**
 * A contract to deploy, by template. Amounts (`initialSupply`, `cap`) are decimal text in whole tokens.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Deployment = Schema.Union(
  Schema.Struct({
    contractType: Schema.Literal("fungible"),
    ...deploymentFields,
    name: NonBlank,
    symbol: NonBlank,
    decimals: Schema.optionalWith(Decimals, { default: () => 18 }),
    initialSupply: Amount,
    initialHolder: Address,
    pauser: Schema.optional(Address),
    admin: Schema.optional(Address),
    cap: Schema.optional(Amount)
  }),
  Schema.Struct({
    contractType: Schema.Literal("nft"),
    ...deploymentFields,
    name: NonBlank,
    symbol: NonBlank,
    baseURI: Schema.optionalWith(Schema.String, { default: () => "" })
  }),
  Schema.Struct({
    contractType: Schema.Literal("multitoken"),
    ...deploymentFields,
    baseURI: Schema.optionalWith(Schema.String, { default: () => "" })
  })
)

/**
 * A deployment to prepare: the template, and the arguments of its constructor in order. Amounts are in the smallest
 * unit, as numbers, decimal text or hexadecimal text with 0x.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Preparation = Schema.Struct({
  contractType: Schema.Literal("fungible", "nft", "multitoken"),
  params: Schema.Array(Schema.Unknown)
})

const mintFields = {
  chain: NonBlank,
  to: Address,
  contractAddress: Address,
  minter: Schema.optional(Address)
}

/**
 * An NFT to mint. Without a `minter`, the provider mints it with its own account.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Mint = Schema.Struct({ ...mintFields, tokenId: TokenId, url: Schema.String })

/**
 * Tokens (ERC-20) to mint. `amount` is decimal text in whole tokens. Without a `minter`, the provider mints them with
 * its own account.
 *
 * @since 0.1.0
 * @category schemas
 */
export const MintFungible = Schema.Struct({ ...mintFields, amount: Amount })

/**
 * Items (ERC-1155) to mint. `amount` is a whole number as text. A receiver that is a contract gets `data`. Without a
 * `minter`, the provider mints them with its own account.
 *
 * @since 0.1.0
 * @category schemas
 */
export const MintMultitoken = Schema.Struct({
  ...mintFields,
  tokenId: TokenId,
  amount: TokenId,
  data: Schema.optionalWith(
    Schema.TemplateLiteral("0x", Schema.String).pipe(
      Schema.filter((text) => /^0x([0-9a-fA-F]{2})*$/.test(text), {
        message: () => "must be bytes: 0x and hexadecimal digits"
      })
    ),
    { default: () => "0x" as const }
  )
})

const Transaction = Schema.Struct({ txId: Schema.String })

/**
 * Contracts.
 *
 * @since 0.1.0
 * @category combinators
 */
export const group = HttpApiGroup.make("contract")
  .add(HttpApiEndpoint.post("deploy", "/contract/deploy").setPayload(Deployment).addSuccess(Transaction))
  .add(
    HttpApiEndpoint.post("prepare", "/contract/deploy/prepare")
      .setPayload(Preparation)
      .addSuccess(Schema.Struct({ data: Schema.String }))
  )
  .add(HttpApiEndpoint.post("mint", "/contract/erc721/mint").setPayload(Mint).addSuccess(Transaction))
  .add(
    HttpApiEndpoint.post("mintFungible", "/contract/erc20/mint")
      .setPayload(MintFungible)
      .addSuccess(Transaction)
  )
  .add(
    HttpApiEndpoint.post("mintMultitoken", "/contract/erc1155/mint")
      .setPayload(MintMultitoken)
      .addSuccess(Transaction)
  )
  .addError(Invalid)
  .addError(Unavailable)
