import { useEffect, useState } from "react"

/** A webhook call that the page's server has received, with raw body and headers. `at` is in milliseconds since 1970. */
export interface Delivery {
  readonly id: number
  readonly at: number
  readonly path: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

const MAX_DELIVERIES = 50

const isDelivery = (value: unknown): value is Delivery =>
  typeof value === "object" &&
  value !== null &&
  typeof Reflect.get(value, "id") === "number" &&
  typeof Reflect.get(value, "at") === "number" &&
  typeof Reflect.get(value, "body") === "string"

/** The webhook calls that the page's server receives, newest first. `open` says whether the page is connected. */
export const useInbox = (
  url: string | undefined
): { readonly deliveries: ReadonlyArray<Delivery>; readonly open: boolean } => {
  const [deliveries, setDeliveries] = useState<ReadonlyArray<Delivery>>([])
  const [open, setOpen] = useState(false)
  useEffect(() => {
    if (url === undefined) return
    const source = new EventSource(url)
    source.onopen = () => setOpen(true)
    source.onerror = () => setOpen(false)
    source.onmessage = ({ data }) => {
      const found: unknown = JSON.parse(String(data))
      if (!isDelivery(found)) return
      // the server repeats its last calls after a reconnect
      setDeliveries((all) =>
        all.some(({ id }) => id === found.id) ? all : [found, ...all].slice(0, MAX_DELIVERIES)
      )
    }
    return () => {
      source.close()
      setOpen(false)
    }
  }, [url])
  return { deliveries, open }
}
