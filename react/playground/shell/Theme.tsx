import { type ReactElement, useEffect, useSyncExternalStore } from "react"
import { Icon } from "../ui/index.js"

const KEY = "effect-chains-theme"

const media = window.matchMedia("(prefers-color-scheme: dark)")

const listeners = new Set<() => void>()

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  media.addEventListener("change", listener)
  return () => {
    listeners.delete(listener)
    media.removeEventListener("change", listener)
  }
}

const read = (): "light" | "dark" => {
  const chosen = document.documentElement.dataset.theme
  return chosen === "light" || chosen === "dark" ? chosen : media.matches ? "dark" : "light"
}

/** The theme that is shown: what was chosen here, otherwise that of the system. */
export const useTheme = (): "light" | "dark" => useSyncExternalStore(subscribe, read)

const choose = (theme: "light" | "dark"): void => {
  const isSystem = theme === (media.matches ? "dark" : "light")
  if (isSystem) delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  try {
    if (isSystem) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // without storage the choice lasts as long as the page
  }
  for (const listener of listeners) listener()
}

/** Changes between light and dark. */
export const ThemeButton = (): ReactElement => {
  const theme = useTheme()
  const other = theme === "dark" ? "light" : "dark"
  useEffect(() => {
    document.querySelector('meta[name="color-scheme"]')?.setAttribute("content", theme)
  }, [theme])
  return (
    <button
      type="button"
      className="icon-button icon-button-large"
      aria-label={`Use the ${other} theme`}
      title={`Use the ${other} theme`}
      onClick={() => choose(other)}
    >
      <Icon name={other === "dark" ? "moon" : "sun"} />
    </button>
  )
}
