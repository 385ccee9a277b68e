import { type Theme, useRoute } from "vitepress"
import DefaultTheme from "vitepress/theme-without-fonts"
import { nextTick, onMounted, watch } from "vue"
import "../../../react/playground/tokens.css"
import "./style.css"
import { showTarget } from "./tabs.js"

/** The first page has no landmark for its content in VitePress, as all others have. */
const markMain = (): void => {
  const content = document.getElementById("VPContent")
  if (content?.classList.contains("is-home")) content.setAttribute("role", "main")
  else content?.removeAttribute("role")
}

/** What a page needs when it is shown. */
const arrive = (): void => {
  markMain()
  showTarget()
}

export default {
  extends: DefaultTheme,
  setup: () => {
    const route = useRoute()
    onMounted(() => {
      arrive()
      window.addEventListener("hashchange", showTarget)
    })
    watch(
      () => route.path,
      () => nextTick(arrive)
    )
  }
} satisfies Theme
