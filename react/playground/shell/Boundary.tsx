import { Component, type ReactNode } from "react"
import { ErrorBox, Panel } from "../ui/index.js"

/** Shows the error of a part of the page in its place, with a button that renders the part again. */
export class Boundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error: error ?? new Error("something was thrown that is no error") }
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children
    return (
      <Panel title="This part of the page is down">
        <ErrorBox error={this.state.error} onRetry={() => this.setState({ error: undefined })} />
      </Panel>
    )
  }
}
