import { lazy, type ReactElement, Suspense, useRef, useState } from "react"
import type { Network } from "../../../src/data/Network.js"
import { usePlayground } from "../session.js"
import { Icon } from "../ui/index.js"
import { Logo } from "./Logo.js"

const NetworkList = lazy(() =>
  import("./NetworkList.js").then(({ NetworkList }) => ({ default: NetworkList }))
)

/** The current network, and a dialog to choose another. */
export const NetworkPicker = (): ReactElement => {
  const { network, setNetwork, startingNetwork } = usePlayground()
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
        {startingNetwork === undefined ? (
          <Logo network={network} size={22} />
        ) : (
          <span className="spinner" aria-hidden="true" />
        )}
        <span className="hidden">Network: </span>
        <span className="truncate">{startingNetwork ?? network}</span>
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
