/**
 * The provider's REST API in the sandbox, composed of its groups. Paths are relative to `/v3` and `/v4`.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Layer from "effect/Layer"
import * as AdminApi from "./api/Admin.js"
import * as BlockchainsApi from "./api/Blockchains.js"
import * as ContractApi from "./api/Contract.js"
import * as DataApi from "./api/Data.js"
import * as FeeApi from "./api/Fee.js"
import * as FilesApi from "./api/Files.js"
import * as HistoryApi from "./api/History.js"
import * as MarketApi from "./api/Market.js"
import * as NamesApi from "./api/Names.js"
import * as RateApi from "./api/Rate.js"
import * as StakingApi from "./api/Staking.js"
import * as SubscriptionApi from "./api/Subscription.js"
import * as TemplateApi from "./api/Template.js"
import * as TimesApi from "./api/Times.js"
import * as TransactionsApi from "./api/Transactions.js"
import * as TronApi from "./api/Tron.js"
import * as WalletsApi from "./api/Wallets.js"
import type { Faults } from "./Faults.js"
import type { Nodes } from "./Nodes.js"
import * as Admin from "./provider/Admin.js"
import * as Blockchains from "./provider/Blockchains.js"
import * as Contract from "./provider/Contract.js"
import * as Data from "./provider/Data.js"
import * as Fee from "./provider/Fee.js"
import * as Files from "./provider/Files.js"
import * as History from "./provider/History.js"
import * as Market from "./provider/Market.js"
import * as Names from "./provider/Names.js"
import * as Rate from "./provider/Rate.js"
import * as Staking from "./provider/Staking.js"
import * as Subscription from "./provider/Subscription.js"
import * as Template from "./provider/Template.js"
import * as Times from "./provider/Times.js"
import * as Transactions from "./provider/Transactions.js"
import * as Tron from "./provider/Tron.js"
import * as Wallets from "./provider/Wallets.js"
import type { Store } from "./Store.js"

/**
 * The declaration of all groups.
 *
 * @since 0.1.0
 * @category conversions
 */
export const Api = HttpApi.make("provider")
  .add(DataApi.group)
  .add(BlockchainsApi.group)
  .add(TransactionsApi.group)
  .add(TimesApi.group)
  .add(MarketApi.group)
  .add(NamesApi.group)
  .add(StakingApi.group)
  .add(WalletsApi.group)
  .add(HistoryApi.group)
  .add(FeeApi.group)
  .add(RateApi.group)
  .add(SubscriptionApi.group)
  .add(TemplateApi.group)
  .add(ContractApi.group)
  .add(FilesApi.group)
  .add(TronApi.group)
  .add(AdminApi.group)
  .annotate(OpenApi.Title, "effect-chains sandbox")

/**
 * The services that the groups need.
 *
 * @since 0.1.0
 * @category layers
 */
export type Dependencies =
  | Admin.Admin
  | Data.Metadata
  | Faults
  | Files.FileStore
  | Nodes
  | Store
  | Subscription.Requirements
  | Template.Requirements

/**
 * The declaration with the handlers of all groups. Rates vary with `seed`. `generations` are the versions of the data
 * API to serve.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  seed: string,
  generations: Data.Generations
): Layer.Layer<HttpApi.Api, never, Dependencies> =>
  HttpApiBuilder.api(Api).pipe(
    Layer.provide([
      Admin.layer,
      Blockchains.layer(seed),
      Contract.layer,
      Data.layer(generations),
      Fee.layer,
      Files.layer,
      History.layer,
      Market.layer(seed),
      Names.layer,
      Rate.layer(seed),
      Staking.layer,
      Subscription.layer,
      Template.layer,
      Times.layer,
      Transactions.layer,
      Tron.layer,
      Wallets.layer(seed)
    ])
  )
