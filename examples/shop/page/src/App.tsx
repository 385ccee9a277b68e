/** Step 10: an order, its payment and its confirmations, as they come. */
import { SdkProvider, useBlockNumber } from "effect-chains/react"
import { useEffect, useState } from "react"

// #region order
/** What the shop's server says of an order. */
interface Order {
  readonly id: number
  readonly network: "ethereum-sepolia" | "bitcoin-testnet" | "solana-devnet"
  readonly address: string
  readonly price: string
  readonly state: "open" | "paid" | "confirmed" | "closing" | "closed"
  readonly confirmations: number
  readonly payments: ReadonlyArray<{ readonly hash: string; readonly amount: string; readonly block: number }>
}

/** An order, asked for each second: its payments are known to the server first. */
const useOrder = (id: string): Order | undefined => {
  const [order, setOrder] = useState<Order>()
  useEffect(() => {
    const ask = () =>
      fetch(`/orders/${id}`)
        .then(async (response) => response.ok && setOrder(await response.json()))
        .catch(() => undefined)
    void ask()
    const timer = setInterval(ask, 1_000)
    return () => clearInterval(timer)
  }, [id])
  return order
}
// #endregion order

// #region confirmations
/** How deep a block is by now. The height follows the chain: no payment is asked for again. */
const Depth = ({
  block,
  network,
  wanted
}: Pick<Order, "network"> & { readonly block: number; readonly wanted: number }) => {
  const { data: height, error } = useBlockNumber({ network, watch: true })
  if (error !== undefined) return <span role="alert">{error.message}</span>
  const depth = height === undefined ? 0 : Math.max(0, Number(height) - block + 1)
  return (
    <>
      <progress max={wanted} value={depth} /> {Math.min(depth, wanted)} of {wanted} confirmations
    </>
  )
}

const Details = ({ address, confirmations, id, network, payments, price, state }: Order) => (
  <main>
    <h1>
      Order {id}: {state}
    </h1>
    <p>
      Pay {price} to <code>{address}</code> on {network}.
    </p>
    <ul>
      {payments.map(({ amount, block, hash }) => (
        <li key={hash}>
          {amount}: <Depth block={block} network={network} wanted={confirmations} />
        </li>
      ))}
    </ul>
  </main>
)
// #endregion confirmations

// #region page
export const App = ({ id }: { readonly id: string }) => {
  const order = useOrder(id)
  if (order === undefined) return <p>…</p>
  return (
    <SdkProvider config={{ network: order.network, provider: "sandbox" }}>
      <Details {...order} />
    </SdkProvider>
  )
}
// #endregion page
