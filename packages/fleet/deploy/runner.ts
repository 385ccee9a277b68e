/** A runner, as `compose.yaml` starts three of them: payments of one account, with the settings of its environment. */

import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as EvmTransactions from "@effect-chains/fleet/evm"
import * as Health from "@effect-chains/fleet/health"
import * as Postgres from "@effect-chains/fleet/postgres"
import * as Retention from "@effect-chains/fleet/retention"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Sdk } from "effect-chains"
import { health } from "effect-chains/effect/health"
import * as Evm from "effect-chains/effect/signers/Evm"

class Ethereum extends Sdk.Tag("Ethereum", "ethereum-mainnet")<Ethereum>() {}
class Payments extends Context.Tag("Payments")<Payments, Evm.EvmSigner>() {}

const nodes = Layer.unwrapScoped(
  Effect.gen(function* () {
    const url = yield* Config.redacted("FLEET_REDIS_URL")
    const board = yield* Health.make({ url: Redacted.value(url) })
    return Ethereum.layerEnv({ health: health(board) })
  })
)

const signer = Layer.unwrapEffect(
  Effect.map(Config.redacted("MNEMONIC"), (mnemonic) => Evm.layer(Payments, Ethereum, { mnemonic }))
)

const store = Postgres.layerConfig({
  name: Config.string("FLEET_NAME"),
  url: Config.redacted("FLEET_DATABASE_URL"),
  host: Config.string("FLEET_HOST"),
  port: Config.integer("FLEET_PORT")
})

const accounts = Effect.map(Effect.all([Ethereum, Payments]), ([client, payer]) => [
  { client, signer: payer }
])

// the store comes last: with it a runner has a share of the work, for which the rest should be there
const runner = Layer.merge(EvmTransactions.layer(accounts), Retention.layer()).pipe(
  Layer.provide(store),
  Layer.provide(signer),
  Layer.provide(nodes),
  Layer.provide(NodeHttpClient.layerUndici)
)

NodeRuntime.runMain(Layer.launch(runner))
