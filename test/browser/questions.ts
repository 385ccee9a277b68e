/** What newcomers ask, as a sentence and as the words that they type, and the pages that answer it. */
export interface Question {
  readonly asked: string
  readonly typed: string
  readonly pages: ReadonlyArray<string>
}

const ask = (asked: string, typed: string, ...pages: ReadonlyArray<string>): Question => ({
  asked,
  typed,
  pages
})

export const questions: ReadonlyArray<Question> = [
  ask(
    "What is this, and how does it differ from viem, ethers, kit and tatum?",
    "compare viem ethers",
    "/",
    "/compare",
    "/adapters",
    "/migration"
  ),
  ask("How big is it in my bundle, and how do I make it smaller?", "bundle size", "/sizes"),
  ask(
    "Which networks and families are supported, and what works on each?",
    "supported networks",
    "/networks"
  ),
  ask("How do I read a balance in ten lines?", "get balance", "/start", "/recipes", "/services"),
  ask("Does it work without an API key?", "without key", "/start", "/recipes"),
  ask("Can it use my own nodes?", "own nodes", "/own-nodes", "/balancer", "/configuration", "/recipes"),
  ask(
    "How do I use another provider than the default one?",
    "other provider gateway",
    "/configuration",
    "/recipes"
  ),
  ask(
    "What happens if a node is down, slow, behind or rate limited?",
    "node fails failover",
    "/balancer",
    "/errors"
  ),
  ask("How do I see that a node has failed?", "pool events listen", "/observability", "/balancer"),
  ask("What is retried, and what is never sent twice?", "retry sent twice", "/balancer", "/security"),
  ask(
    "How do I set a timeout or cancel a call?",
    "timeout cancel abort signal",
    "/configuration",
    "/recipes",
    "/errors"
  ),
  ask(
    "How do I tell errors apart and show them to people?",
    "handle errors",
    "/errors",
    "/effect",
    "/recipes"
  ),
  ask(
    "How do I send coins with a private key, a mnemonic, a KMS or a browser wallet?",
    "send coins mnemonic",
    "/signers",
    "/signers/keys",
    "/recipes"
  ),
  ask(
    "How do I pay on Bitcoin, Solana, Tron, XRP or TON?",
    "send bitcoin solana",
    "/signers",
    "/signers/bitcoin",
    "/signers/solana",
    "/recipes"
  ),
  ask(
    "How do I wait for confirmations, and what about a reorganisation?",
    "wait confirmation reorg",
    "/confirmations",
    "/subscriptions",
    "/recipes",
    "/watchers"
  ),
  ask("How do I call a contract by its ABI, with types?", "contract abi", "/contracts"),
  ask("Which tokens and NFTs does an address hold?", "tokens nft of address", "/services", "/recipes"),
  ask("How do I page through a transaction history?", "transaction history pages", "/recipes", "/services"),
  ask(
    "How do I watch new blocks, logs and payments?",
    "subscribe new blocks logs",
    "/subscriptions",
    "/watchers",
    "/accept-payments",
    "/recipes"
  ),
  ask(
    "How do I receive a webhook and verify its signature?",
    "webhook signature",
    "/webhooks",
    "/webhook-subscriptions"
  ),
  ask("What does a transaction cost, and what is the exchange rate?", "fees rates", "/services", "/recipes"),
  ask(
    "How do I make many calls at once: batches, shared calls, multicall?",
    "batch multicall",
    "/balancer",
    "/contracts",
    "/recipes"
  ),
  ask("How do I read what I have just written?", "read after write minBlock", "/balancer", "/recipes"),
  ask(
    "How do I make several nodes agree?",
    "quorum",
    "/balancer",
    "/configuration",
    "/recipes",
    "/errors/noquorum"
  ),
  ask(
    "How do I use it in React, with Suspense, on a server, in Next?",
    "react suspense next server",
    "/react",
    "/react/server",
    "/runtimes"
  ),
  ask(
    "Does it work with TanStack Query?",
    "tanstack query",
    "/start",
    "/react/tanstack-query",
    "/react/from-wagmi"
  ),
  ask(
    "How do I test my app offline, with faults and time travel?",
    "test offline faults",
    "/react/testing",
    "/testing",
    "/sandbox"
  ),
  ask("How do I run the sandbox in CI?", "sandbox in CI", "/testing", "/sandbox"),
  ask(
    "How do I use it with Effect: layers, errors, streams, metrics?",
    "effect layers streams",
    "/effect",
    "/start"
  ),
  ask("How do I send traces to OpenTelemetry?", "opentelemetry", "/observability"),
  ask(
    "Does it run in workers, Deno, Bun and React Native?",
    "deno bun react native cloudflare workers",
    "/runtimes"
  ),
  ask("How do many replicas share one quota?", "share quota redis", "/quota"),
  ask("How does a payment survive a crash?", "payment survives crash", "/fleet", "/fleet/operate"),
  ask("How do I cache answers?", "cache", "/cache"),
  ask("Where does my API key go, and where never?", "where api key goes", "/security"),
  ask("What is promised, and which test holds it?", "promises tests", "/promises", "/versions"),
  ask(
    "How do I write an extension or add a network?",
    "write extension add network",
    "/extensions",
    "/project/contributing"
  ),
  ask(
    "How do I move from tatum, viem or ethers?",
    "migrate from tatum",
    "/migration",
    "/migration-viem",
    "/migration-ethers",
    "/migrate"
  ),
  ask(
    "What changes between versions, and how long is one kept?",
    "breaking changes versions deprecated",
    "/versions"
  ),
  ask(
    "Where do I ask for help, and how do I contribute?",
    "contribute help",
    "/versions",
    "/project/contributing"
  )
]
