/** A row of the table of networks, and the search among them. The page loads it, so it imports nothing of the SDK. */

/** The line that makes a network's client, on each surface. */
export interface Lines {
  readonly promises: string
  readonly Effect: string
  readonly React: string
}

/** A network as the table shows it. */
export interface Row {
  readonly id: string
  readonly family: string
  readonly chainId?: number
  /** The ticker of the native coin. */
  readonly currency: string
  readonly services: ReadonlyArray<string>
  readonly isTestnet: boolean
  /** The test networks of the same chain and coin. */
  readonly testnets: ReadonlyArray<string>
  readonly explorer?: string
  /** What its users have to know: that it was shut down, or needs their own nodes. */
  readonly marks: ReadonlyArray<string>
  /** Other names of it, for the search. */
  readonly aliases: string
  readonly lines: Lines
}

/** The text in which a row is searched. */
const textOf = ({
  aliases,
  chainId,
  currency,
  explorer,
  family,
  id,
  isTestnet,
  marks,
  services
}: Row): string =>
  [id, family, chainId, currency, aliases, explorer, isTestnet ? "testnet" : "mainnet", ...marks, ...services]
    .join(" ")
    .toLowerCase()

/** The rows that have every word of a query. */
export const findRows = (from: ReadonlyArray<Row>, query: string): ReadonlyArray<Row> => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return words.length === 0
    ? from
    : from.filter((row) => {
        const text = textOf(row)
        return words.every((word) => text.includes(word))
      })
}
