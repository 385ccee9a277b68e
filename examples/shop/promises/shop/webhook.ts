/** Step 5: the provider calls the shop when something happens at an order's address. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"
import { decode, signatureHeader, verify } from "effect-chains/webhook"
import { unwrap } from "./chains.js"
import type { Order, Shop } from "./orders.js"
import { checkOrder } from "./watch.js"

// #region subscribe
/** Asks the provider to call `url` for an order's address. */
export const subscribe = async ({ clients }: Shop, { address, chain, id }: Order, url: string) =>
  unwrap(await clients[chain].notification.subscribe.addressEvent({ address, url: `${url}/calls/${id}` }))

/** From now on the provider signs its calls with this secret. It holds for all subscriptions of the API key. */
export const signCalls = async ({ clients }: Shop, secret: string): Promise<void> =>
  unwrap(await clients.ethereum.notification.enableHmac(secret))
// #endregion subscribe

// #region receive
/** The status to answer a call with. The call only says where to look: what counts is read from the chain. */
const handleCall = async (shop: Shop, id: number, body: Uint8Array): Promise<number> => {
  const order = shop.orders.get(id)
  const call = decode(body)
  if (order === undefined || call.status === "ERROR" || !("txId" in call.data)) return 400
  const { txId } = call.data
  const isKnown = ({ payments, state }: Order) =>
    state !== "open" || payments.some(({ hash }) => hash === txId)
  // the provider calls again after any answer but 200 to 299: the payment may not be in its own history yet
  return isKnown(order) || isKnown(await checkOrder(shop, order)) ? 200 : 503
}

export const receiveCalls =
  (shop: Shop, secret: string) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request)
    const isGenuine = await verify({ body, signature: request.headers[signatureHeader], secret })
    const id = Number(request.url?.split("/").at(-1))
    response.writeHead(isGenuine ? await handleCall(shop, id, body) : 401).end()
  }
// #endregion receive
