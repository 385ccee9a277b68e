/** An error of a configuration has a `SchemaError`, whose issue has the path. */
import { ConfigError } from "effect4/Config"
import * as Schema from "effect4/Schema"
import * as Issue from "effect4/SchemaIssue"

export { ConfigError } from "effect4/Config"

const issueOf = ({ cause }: ConfigError): Issue.Issue =>
  cause._tag === "SchemaError" ? cause.issue : new Issue.InvalidValue({ message: cause.message }, undefined)

/** Both errors in one, each with its path. */
export const And = (one: ConfigError, other: ConfigError): ConfigError =>
  new ConfigError(
    new Schema.SchemaError(new Issue.Composite(Schema.Unknown.ast, [issueOf(one), issueOf(other)]))
  )

export const InvalidData = (path: ReadonlyArray<string>, message: string): ConfigError => {
  const issue = new Issue.InvalidValue({ message }, undefined)
  return new ConfigError(new Schema.SchemaError(path.length === 0 ? issue : new Issue.Pointer(path, issue)))
}
