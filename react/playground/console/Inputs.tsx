import type { ReactElement } from "react"
import { Field, type InputProps, TextInput } from "../ui/index.js"
import { type ExampleContext, exampleOf, makeInitialTexts } from "./examples.js"
import type { Argument, Method } from "./model.js"
import { type InputTexts, inputKey } from "./values.js"

interface ArgumentInputProps {
  readonly path: string
  readonly argument: Argument
  readonly text: string
  readonly problem: string | undefined
  readonly onText: (text: string) => void
  readonly surroundings: ExampleContext
}

/** A choice of more options than this is a line with suggestions. */
const MAX_OPTIONS = 12

/** The values that a type allows or suggests. */
const optionsOf = ({ shape }: Argument): ReadonlyArray<string> => {
  if (shape.kind !== "scalar") return []
  const isBoolean = shape.of.length === 1 && shape.of[0] === "boolean"
  return isBoolean ? ["true", "false"] : (shape.options ?? [])
}

interface ControlProps extends Pick<ArgumentInputProps, "argument" | "onText" | "text"> {
  /** The props that connect a control to the label of its field. */
  readonly props: InputProps
  readonly example: string | undefined
}

/** The control that a type asks for: a choice, a line with suggestions, or a text of JSON. */
const ArgumentControl = ({ argument, example, onText, props, text }: ControlProps): ReactElement => {
  const { optional, shape } = argument
  const options = optionsOf(argument)
  if (shape.kind !== "scalar")
    return (
      <textarea
        {...props}
        className="input mono"
        rows={2}
        spellCheck={false}
        value={text}
        placeholder={example ?? "JSON; bigints as 123n"}
        onChange={(event) => onText(event.target.value)}
      />
    )
  if (shape.closed === true && options.length <= MAX_OPTIONS)
    return (
      <select {...props} className="input mono" value={text} onChange={(event) => onText(event.target.value)}>
        <option value="">{optional === true ? "left out" : "choose…"}</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    )
  return (
    <>
      <TextInput
        {...props}
        type="text"
        value={text}
        placeholder={example}
        list={options.length > 0 ? `${props.id}-options` : undefined}
        onText={onText}
      />
      {options.length > 0 ? (
        <datalist id={`${props.id}-options`}>
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      ) : null}
    </>
  )
}

const ArgumentInput = ({
  argument,
  onText,
  path,
  problem,
  surroundings,
  text
}: ArgumentInputProps): ReactElement => {
  const { doc, name, optional, type } = argument
  const example = exampleOf(path, argument, surroundings)
  const label = (
    <>
      <span className="mono">{name}</span>
      {optional === true ? <span className="console-optional"> optional</span> : null}
      <span className="console-type mono">{type}</span>
    </>
  )
  return (
    <Field label={label} error={problem} {...(doc === undefined ? {} : { hint: doc })}>
      {(props) => (
        <ArgumentControl props={props} argument={argument} text={text} example={example} onText={onText} />
      )}
    </Field>
  )
}

interface InputsProps {
  readonly method: Method
  readonly texts: InputTexts
  readonly problems: Readonly<Record<string, string>>
  readonly onText: (key: string, text: string) => void
  readonly surroundings: ExampleContext
}

/** The inputs of a method: one per argument, and of an object one per field. */
export const Inputs = ({ method, onText, problems, surroundings, texts }: InputsProps): ReactElement => {
  const one = (argument: Argument, key: string): ReactElement => (
    <ArgumentInput
      key={key}
      path={method.path}
      argument={argument}
      text={texts[key] ?? ""}
      problem={problems[key]}
      onText={(text) => onText(key, text)}
      surroundings={surroundings}
    />
  )
  // the same fields stay in front while the user types: an input that moves loses its focus
  const first = makeInitialTexts(method, surroundings)
  return (
    <div className="stack">
      {method.args.map((argument) => {
        if (argument.shape.kind !== "object") return one(argument, inputKey(argument))
        const { fields } = argument.shape
        const isFirst = (field: Argument): boolean =>
          field.optional !== true || first[inputKey(argument, field)] !== undefined
        const required = fields.filter(isFirst)
        const others = fields.filter((field) => !isFirst(field))
        const all = (some: ReadonlyArray<Argument>) =>
          some.map((field) => one(field, inputKey(argument, field)))
        return (
          <fieldset key={argument.name} className="console-object">
            <legend>
              <span className="mono">{argument.name}</span>
              {argument.optional === true ? <span className="console-optional"> optional</span> : null}
            </legend>
            <div className="console-fields">{all(required)}</div>
            {others.length === 0 ? null : (
              <details className="console-more">
                <summary>
                  {others.length} optional {others.length === 1 ? "field" : "fields"}
                </summary>
                <div className="console-fields">{all(others)}</div>
              </details>
            )}
          </fieldset>
        )
      })}
      {method.args.length === 0 ? <p className="hint">It takes no arguments.</p> : null}
    </div>
  )
}
