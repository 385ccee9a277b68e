import { type ReactElement, useEffect, useSyncExternalStore } from "react"
import { Icon } from "../ui/index.js"

const STORAGE_KEY = "effect-chains-theme"

type Theme = "light" | "dark"

const darkMedia = window.matchMedia("(prefers-color-scheme: dark)")

const systemTheme = (): Theme => (darkMedia.matches ? "dark" : "light")

const currentTheme = (): Theme => (document.documentElement.dataset.theme === "dark" ? "dark" : "light")

const listeners = new Set<() => void>()

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const applyTheme = (theme: Theme): void => {
  document.documentElement.dataset.theme = theme
  for (const listener of listeners) listener()
}

// a user who has chosen another theme than the system's keeps it
let isChosen = currentTheme() !== systemTheme()
darkMedia.addEventListener("change", () => {
  if (!isChosen) applyTheme(systemTheme())
})

/** The theme that is shown: the user's choice, otherwise that of the system. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, currentTheme)

const chooseTheme = (theme: Theme): void => {
  isChosen = theme !== systemTheme()
  try {
    if (isChosen) localStorage.setItem(STORAGE_KEY, theme)
    else localStorage.removeItem(STORAGE_KEY)
  } catch {
    // without storage the choice lasts as long as the page
  }
  applyTheme(theme)
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
      onClick={() => chooseTheme(other)}
    >
      <Icon name={other === "dark" ? "moon" : "sun"} />
    </button>
  )
}
