/** Step 8: orders in a file, which is whole whenever the process ends. */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs"
import type { Order, Orders } from "./orders.js"

// #region file
interface Content {
  readonly lastId: number
  readonly orders: ReadonlyArray<Order>
}

/** Writes another file and puts it in place of the first: a process that is killed leaves either the old one or the new one. */
const replace = (path: string, content: Content): void => {
  const file = openSync(`${path}.new`, "w")
  writeSync(file, JSON.stringify(content, null, 2))
  fsyncSync(file)
  closeSync(file)
  renameSync(`${path}.new`, path)
}

export const inFile = (path: string): Orders => {
  const { lastId, orders }: Content = existsSync(path)
    ? JSON.parse(readFileSync(path, "utf8"))
    : { lastId: 0, orders: [] }
  const byId = new Map(orders.map((order) => [order.id, order]))
  let last = lastId
  const write = () => replace(path, { lastId: last, orders: [...byId.values()] })
  return {
    all: () => [...byId.values()],
    get: (id) => byId.get(id),
    save: (order) => {
      byId.set(order.id, order)
      write()
    },
    nextId: () => {
      last += 1
      write()
      return last
    }
  }
}
// #endregion file
