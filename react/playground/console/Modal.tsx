import { type ReactElement, type ReactNode, useEffect, useId, useRef } from "react"
import "./modal.css"

/** The props of a dialog. `onClose` is called when the user leaves it in any way: by Escape, too. */
export interface ModalProps {
  readonly title: string
  readonly onClose: () => void
  readonly actions: ReactNode
  readonly children: ReactNode
}

/** A question that has to be answered before the page goes on; the focus is kept in it, and given back after it. */
export const Modal = ({ actions, children, onClose, title }: ModalProps): ReactElement => {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    const element = dialog.current
    if (element === null) return
    const before = document.activeElement
    element.showModal()
    return () => {
      element.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className="modal"
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <h2 id={heading}>{title}</h2>
      <div className="stack modal-body">{children}</div>
      <div className="row modal-actions">{actions}</div>
    </dialog>
  )
}
