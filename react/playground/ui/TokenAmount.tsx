import type { ReactElement } from "react"
import type { Network } from "../../../src/data/Network.js"
import { useRead } from "../../index.js"
import { supports } from "../networks.js"
import { usePlayground } from "../session.js"
import { Amount } from "./Values.js"

/** An amount of a token, with the symbol of its contract. Rows of one token share the request. */
export const TokenAmount = ({
  token,
  tokenId,
  value
}: {
  readonly value: string
  /** The address of its contract. */
  readonly token: string
  readonly tokenId?: string | undefined
}): ReactElement => {
  const { network } = usePlayground()
  const { data } = useRead<"token.getTokenMetadata", Network>(
    "token.getTokenMetadata",
    [{ tokenAddress: token }],
    { network, enabled: supports(network, "token"), staleTime: "1 hour" }
  )
  const symbol = data?.symbol ?? (tokenId === undefined ? "tokens" : "items")
  return <Amount value={value} symbol={tokenId === undefined ? symbol : `${symbol} #${tokenId}`} />
}
