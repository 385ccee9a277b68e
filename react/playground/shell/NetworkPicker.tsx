import { lazy, type ReactElement, Suspense, useRef, useState } from "react"
import { info, type Network } from "../../../src/data/Network.js"
import { usePlayground } from "../session.js"
import { Icon } from "../ui/index.js"

const NetworkList = lazy(() =>
  import("./NetworkList.js").then(({ NetworkList }) => ({ default: NetworkList }))
)

/** The letter of a network in the head of the page. */
const letter = (network: Network): string => info(network).symbol.slice(0, 1)

/** The network that the page is about, and the way to any other of the table. */
export const NetworkPicker = (): ReactElement => {
  const { network, setNetwork, starting } = usePlayground()
  const dialog = useRef<HTMLDialogElement>(null)
  const [open, setOpen] = useState(false)
  const show = () => {
    setOpen(true)
    dialog.current?.showModal()
  }
  const close = () => dialog.current?.close()
  const pick = (next: Network) => {
    close()
    if (next !== network) setNetwork(next)
  }

  return (
    <>
      <button type="button" className="picker-button" aria-haspopup="dialog" onClick={show}>
        {starting === undefined ? (
          <span className="monogram monogram-small" style={{ fontSize: 12 }} aria-hidden="true">
            {letter(network)}
          </span>
        ) : (
          <span className="spinner" aria-hidden="true" />
        )}
        <span className="hidden">Network: </span>
        <span className="truncate">{starting ?? network}</span>
        <Icon name="chevron" size={14} />
      </button>
      <dialog
        ref={dialog}
        className="dialog"
        aria-label="Choose a network"
        onClose={() => setOpen(false)}
        onPointerDown={(event) => {
          if (event.target === dialog.current) dialog.current?.close()
        }}
      >
        {open ? (
          <Suspense>
            <NetworkList chosen={network} onClose={close} onPick={pick} />
          </Suspense>
        ) : null}
      </dialog>
    </>
  )
}
