/** Declarations and modules for Effect 4, from those with Effect 3's names. */
import { describe, expect, it } from "vitest"
import { toEffect4 } from "../scripts/declarations.mjs"

describe("the names of Effect 4", () => {
  const written = (text: string): string => toEffect4(text, "file.d.ts")

  it("stand for those of Effect 3, with the type arguments in their order", () => {
    expect(
      written(`import type * as Either from "effect/Either";
import type * as Schema from "effect/Schema";
import type { DurationInput } from "effect/Duration";
import type { ConfigError } from "effect/ConfigError";
export declare const parse: (text: string, late: DurationInput) => Either.Either<bigint, ConfigError>;
export declare const wrong: Either.Left<Either.Either<1, 2>, Schema.optionalWith<Schema.Schema<string>, { exact: true }>>;
`)
    ).toBe(`import type * as Either from "effect/Result";
import type * as Schema from "effect/Schema";
import type { Input as DurationInput } from "effect/Duration";
import type { ConfigError } from "effect/Config";
export declare const parse: (text: string, late: DurationInput) => Either.Result<bigint, ConfigError>;
export declare const wrong: Either.Failure<Schema.optionalKey<Schema.Codec<string>>, Either.Result<1, 2>>;
`)
  })

  it("are those of classes, of types in namespaces, and of what the compiler has found by itself", () => {
    expect(
      written(`import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as HttpClient from "@effect/platform/HttpClient";
export interface Tag<S> extends Context.TagClass<S, "key", Effect.Effect.Success<S>> {}
export declare const found: import("effect4/Context").ServiceClass<HttpClient.HttpClient, "a", 1>;
export declare const other: Context.Tag<1, Effect.Effect<1>>;
`)
    ).toBe(`import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as HttpClient from "effect/http/HttpClient";
export interface Tag<S> extends Context.ServiceClass<S, "key", Effect.Success<S>> {}
export declare const found: import("effect/Context").ServiceClass<HttpClient.HttpClient, "a", 1>;
export declare const other: Context.Service<1, Effect.Effect<1>>;
`)
  })

  it("leave what has no other name, and members of other modules", () => {
    const text = `import type * as Mine from "./Either.js";
import type * as Stream from "effect/Stream";
export declare const one: Mine.Either<1>;
export declare const two: Stream.Stream<1>;
`
    expect(written(text)).toBe(text)
  })
})
