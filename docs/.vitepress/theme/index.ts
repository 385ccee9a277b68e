import { type Theme, useRoute } from "vitepress"
import DefaultTheme from "vitepress/theme-without-fonts"
import { nextTick, onMounted, watch } from "vue"
import "../../../react/playground/tokens.css"
import "./style.css"

/** The first page has no landmark for its content in VitePress, as all others have. */
const markMain = (): void => {
  const content = document.getElementById("VPContent")
  if (content?.classList.contains("is-home")) content.setAttribute("role", "main")
  else content?.removeAttribute("role")
}

export default {
  extends: DefaultTheme,
  setup: () => {
    const route = useRoute()
    onMounted(markMain)
    watch(
      () => route.path,
      () => nextTick(markMain)
    )
  }
} satisfies Theme
