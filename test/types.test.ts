import ts from "typescript"
import { describe, expect, it } from "vitest"
import { networks } from "../src/data/Network.js"
import { checker, measured, showHovers, typeIn, work } from "./types/program.js"

/**
 * The limit of the compiler's work for each file: the count when this line was written, and 15 % more. That of all
 * members grows with their number: with 2,011 endpoints it is 95 for each. It is counted after that of the
 * calls, with which it shares types. That a network may be a definition of the application's own is
 * 2 % of the calls, and that classes of errors have their fields from one declaration 1 %.
 */
const budgets = { calls: 120_500, members: 220_000 }

const clientsOf = (surface: "Clients" | "PromiseClients"): ts.Type => typeIn("test/types/members.ts", surface)

/** The type of an endpoint's function, as an editor shows it. */
const show = (surface: "Clients" | "PromiseClients", ...path: ReadonlyArray<string>): string => {
  let type: ts.Type | undefined = clientsOf(surface)
  for (const name of path) {
    const member: ts.Symbol | undefined = type?.getProperty(name)
    type = member === undefined ? undefined : checker.getTypeOfSymbol(member)
  }
  return type === undefined
    ? "nothing"
    : checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)
}

describe("the types", () => {
  it.each(measured)("stay within the budget of instantiations: %s", (name) => {
    const { instantiations = Number.NaN, problems } = work.get(name) ?? {}
    console.log(`instantiations: ${instantiations} (${name}, budget ${budgets[name]})`)
    expect(problems).toEqual([])
    expect(instantiations).toBeLessThan(budgets[name])
  })

  it("keep the names of arguments, and show no helper type", () => {
    const block = "block?: OptionalBlock | undefined"
    expect(show("Clients", "evm", "getBalance")).toBe(
      `(address: string, ${block}) => Effect<bigint, RpcCallError, never>`
    )
    expect(show("PromiseClients", "evm", "getBalance")).toBe(
      `(address: string, ${block}) => Promise<Result<bigint, RpcCallError>>`
    )
    expect(show("Clients", "evm-native", "getBalance")).toBe(
      `(address: string, ${block}, native?: boolean | undefined) => Effect<bigint, RpcCallError, never>`
    )
    expect(show("PromiseClients", "evm-native", "getBalance")).toBe(
      `(address: string, ${block}, native?: boolean | undefined) => Promise<Result<bigint, RpcCallError>>`
    )
    const input = "input: { readonly stateId: string | number | bigint; }"
    expect(show("Clients", "evm-beacon", "beacon", "v1", "getStateRoot")).toBe(
      `(${input}) => Effect<Answer<Root>, RestCallError, never>`
    )
    expect(show("PromiseClients", "evm-beacon", "beacon", "v1", "getStateRoot")).toBe(
      `(${input}) => Promise<Result<Answer<Root>, RestCallError>>`
    )
  })

  it.each([3, 4] as const)(
    "show in an editor what typical members are, by the names of their errors, on Effect %s",
    (effect) => {
      expect(showHovers(effect)).toEqual({
        getBalance:
          "(address: string, block?: OptionalBlock | undefined) => Effect<bigint, RpcCallError, never>",
        balance: "Effect<bigint, RpcCallError, never>",
        balanceInTime: "Effect<bigint, RpcCallError, never>",
        // an option's errors are there where the option is given
        agreedBalance: "Effect<bigint, NoQuorum | RpcCallError, never>",
        freshBalance: "Effect<bigint, BlockNotReached | RpcCallError, never>",
        sendRawTransaction: `((signedTransaction: BytesInput) => Effect<\`0x\${string}\`, RpcCallError, never>) & Effectful<"broadcast">`,
        rawBatch:
          '((bodies: readonly JsonRpcRequest[], options?: RawOptions | undefined) => Effect<readonly BatchItem[], RpcCallError, never>) & Effectful<"write">',
        getCurrentRate: "(currency: string, basePair: string) => Effect<Rate, RatesError, never>",
        balances: 'Effect<readonly AddressBalance[], BalanceError<"ethereum-mainnet">, never>',
        bitcoinBalances: 'Effect<readonly AddressBalance[], BalanceError<"bitcoin-mainnet">, never>',
        history: 'Effect<readonly AddressTransaction[], HistoryError<"ethereum-mainnet">, never>',
        newHeads: "Stream<Head, SubscriptionError, never>",
        prepare: "(payment: Payment) => Effect<Prepared<EvmTransaction>, PrepareError, never>",
        send: '(payment: Omit<Payment, "token"> & SendOptions) => Effect<Sent<EvmTransaction>, SendError, never>',
        submit:
          "(prepared: Prepared<EvmTransaction> | BroadcastUnclear, options?: SendOptions | undefined) => Effect<Sent<EvmTransaction>, SubmitError, never>",
        client: 'Effect<Sdk<"ethereum-mainnet", never>, InitError, HttpClient | Scope>',
        layer: "Layer<Eth, InitError, HttpClient>",
        layerEnv: "Layer<Eth, ConfigError | InitError, HttpClient>",
        changes: "Stream<PoolEvent, never, Eth>"
      })
    }
  )

  it.each(["Clients", "PromiseClients"] as const)(
    "have no second argument that may be left out and takes a number, as an index is: %s",
    (surface) => {
      const unsafe = (type: ts.Type, path: string): ReadonlyArray<string> =>
        type.getProperties().flatMap((member) => {
          const own = checker.getTypeOfSymbol(member)
          const signatures = own.getCallSignatures()
          const name = `${path}${member.name}`
          if (signatures.length === 0) return unsafe(own, `${name}.`)
          const isUnsafe = signatures.some(({ parameters }) => {
            const [first, other] = parameters.map((parameter) => checker.getTypeOfSymbol(parameter))
            const second =
              first !== undefined && checker.isTupleType(first)
                ? checker.getTypeArguments(first as ts.TypeReference)[1]
                : other
            return (
              second !== undefined &&
              checker.isTypeAssignableTo(checker.getUndefinedType(), second) &&
              checker.isTypeAssignableTo(checker.getNumberType(), second)
            )
          })
          return isUnsafe ? [name] : []
        })
      expect(unsafe(clientsOf(surface), "")).toEqual([])
    }
  )

  it.each(["Clients", "PromiseClients"] as const)(
    "carry the docs of every method to the editor: %s",
    (surface) => {
      const undocumented = (type: ts.Type, path: string): ReadonlyArray<string> =>
        type.getProperties().flatMap((member) => {
          const own = checker.getTypeOfSymbol(member)
          const name = `${path}${member.name}`
          // a group is told by its methods
          if (own.getCallSignatures().length === 0) return undocumented(own, `${name}.`)
          return member.getDocumentationComment(checker).length === 0 ? [name] : []
        })
      const clients = clientsOf(surface)
      expect(clients.getProperties().length).toBe(
        new Set(Object.values(networks).map((row) => row.family)).size
      )
      expect(undocumented(clients, "")).toEqual([])
    }
  )
})
