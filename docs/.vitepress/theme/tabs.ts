/** Opens the tab that has the heading of the page's address. Without this, the tabs that `markdown.ts` makes still work. */
import "./tabs.css"

/** Shows what the address names, if it is in a tab that is not the chosen one. */
export const showTarget = (): void => {
  const { hash } = window.location
  const target = hash === "" ? null : document.getElementById(decodeURIComponent(hash.slice(1)))
  const panel = target?.closest<HTMLElement>(".tabs > section")
  const tabs = panel?.parentElement
  if (!panel || !tabs) return
  const at = Array.from(tabs.querySelectorAll(":scope > section")).indexOf(panel)
  const radio = tabs.querySelectorAll<HTMLInputElement>('input[name="tabs"]')[at]
  if (radio === undefined || radio.checked) return
  radio.checked = true
  // VitePress scrolls in the next frame too, to where a hidden heading would be: this comes after it
  requestAnimationFrame(() => target?.scrollIntoView())
}
