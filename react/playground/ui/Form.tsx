import { type ComponentProps, type ReactElement, type ReactNode, useId } from "react"

/** The props that a field gives to its input. */
export interface InputProps {
  readonly id: string
  readonly "aria-describedby"?: string
  readonly "aria-invalid"?: true
}

/** The props of a field. */
export interface FieldProps {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly children: (props: InputProps) => ReactNode
}

/** A label with its input, and a hint or an error. */
export const Field = ({ children, error, hint, label }: FieldProps): ReactElement => {
  const id = useId()
  const described = error !== undefined || hint !== undefined
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(described ? { "aria-describedby": `${id}-note` } : {}),
        ...(error === undefined ? {} : { "aria-invalid": true })
      })}
      {described ? (
        <p id={`${id}-note`} className={error === undefined ? "hint" : "field-error"}>
          {error ?? hint}
        </p>
      ) : null}
    </div>
  )
}

/** The props of a line of text: those of an input, whose `onChange` gets the text alone. */
export interface TextInputProps extends Omit<ComponentProps<"input">, "className" | "onChange"> {
  readonly onText: (text: string) => void
}

/** Addresses, hashes, urls, amounts: monospaced, and never completed or corrected. */
export const TextInput = ({ onText, ...props }: TextInputProps): ReactElement => (
  <input
    autoComplete="off"
    spellCheck={false}
    {...props}
    className="input mono"
    onChange={(event) => onText(event.target.value)}
  />
)

/** The props of a checkbox. */
export interface CheckboxProps {
  readonly label: ReactNode
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

/** A checkbox with its label. */
export const Checkbox = ({ checked, label, onChange }: CheckboxProps): ReactElement => (
  <label className="checkbox">
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
    <span>{label}</span>
  </label>
)

/** The props of a choice: its options stand side by side. */
export interface SegmentsProps<T extends string> {
  readonly label: string
  readonly options: ReadonlyArray<{ readonly value: T; readonly title: string }>
  readonly value: T
  readonly onChange: (value: T) => void
}

/** One of a few options, as radio buttons in a row. */
export const Segments = <T extends string>(props: SegmentsProps<T>): ReactElement => {
  const { label, onChange, options, value } = props
  const name = useId()
  return (
    <fieldset className="segments">
      <legend className="hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={option.value === value ? "segment segment-on" : "segment"}>
          <input
            type="radio"
            className="hidden"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.title}
        </label>
      ))}
    </fieldset>
  )
}
