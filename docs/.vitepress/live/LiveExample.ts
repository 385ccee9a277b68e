/** A block of code that a page's reader can change and run. Pages without one load nothing of it, and this one no compiler before that. */
import { withBase } from "vitepress"
import { defineComponent, h, nextTick, onBeforeUnmount, onMounted, ref } from "vue"
import styles from "./live.css?inline"
import type { Asked, Told } from "./worker.js"

/** The site has one file of styles for all of its pages: these come with the pages that have examples. */
const style = (): void => {
  if (document.getElementById("live-styles") !== null) return
  const element = document.createElement("style")
  element.id = "live-styles"
  element.textContent = styles
  document.head.append(element)
}

interface Line {
  readonly text: string
  readonly isError: boolean
}

export default defineComponent({
  setup: (_, { slots }) => {
    const root = ref<HTMLElement>()
    const editor = ref<HTMLTextAreaElement>()
    /** The program as the page has it: empty before the page is alive. */
    const original = ref("")
    const program = ref("")
    const isEdited = ref(false)
    const isRunning = ref(false)
    const status = ref("")
    const lines = ref<ReadonlyArray<Line>>([])
    let worker: Worker | undefined

    const print = (text: string, isError: boolean): void => {
      lines.value = [...lines.value, { text, isError }]
    }
    const stop = (how: string): void => {
      worker?.terminate()
      worker = undefined
      isRunning.value = false
      status.value = how
    }
    let from = ""
    const hear = (told: Told): void => {
      if (told.kind === "from") from = told.text
      else if (told.kind !== "end") print(told.text, told.kind === "error")
      else {
        if (told.text !== undefined) print(told.text, true)
        isRunning.value = false
        status.value = [told.text === undefined ? "Done" : "Failed", from].filter(Boolean).join(", ")
      }
    }
    const start = (): void => {
      stop("Running …")
      lines.value = []
      from = ""
      isRunning.value = true
      worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" })
      worker.onmessage = ({ data }: MessageEvent<Told>) => hear(data)
      worker.onerror = ({ message }) => {
        print(message || "The program could not be started.", true)
        stop("Failed")
      }
      const asked: Asked = {
        program: program.value,
        answers: new URL(withBase("/live.json"), location.href).href
      }
      worker.postMessage(asked)
    }
    const edit = async (): Promise<void> => {
      isEdited.value = true
      await nextTick()
      editor.value?.focus()
    }
    const reset = (): void => {
      isEdited.value = false
      program.value = original.value
    }

    onMounted(() => {
      style()
      original.value = root.value?.querySelector("pre code")?.textContent ?? ""
      program.value = original.value
    })
    onBeforeUnmount(() => stop(""))

    const button = (text: string, onClick: () => void) =>
      h("button", { type: "button", disabled: original.value === "", onClick }, text)
    return () =>
      h("div", { ref: root }, [
        isEdited.value
          ? h("textarea", {
              ref: editor,
              class: "live-program",
              "aria-label": "The example’s program",
              autocapitalize: "off",
              autocomplete: "off",
              spellcheck: false,
              rows: program.value.split("\n").length,
              value: program.value,
              onInput: (event: Event) => {
                if (event.target instanceof HTMLTextAreaElement) program.value = event.target.value
              },
              onKeydown: (event: KeyboardEvent) => {
                if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) start()
              }
            })
          : slots.default?.(),
        h("div", { class: "live-bar", role: "group", "aria-label": "Live example" }, [
          isRunning.value ? button("Stop", () => stop("Stopped")) : button("Run", start),
          isEdited.value ? button("Reset", reset) : button("Edit", edit),
          h("span", { role: "status" }, status.value)
        ]),
        h(
          "div",
          {
            class: "live-output",
            role: "log",
            "aria-label": "Output",
            "aria-live": "polite",
            tabindex: lines.value.length > 0 ? 0 : undefined
          },
          lines.value.map(({ isError, text }) =>
            h("div", { class: isError ? "live-error" : undefined }, text)
          )
        )
      ])
  }
})
