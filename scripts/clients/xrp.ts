import type { Request, RequestResponseMap } from "xrpl"

export type Answers = {
  readonly [R in Request as R["command"]]: RequestResponseMap<R, 2> extends { readonly result: infer Result }
    ? Result
    : never
}
