import type { HttpClientError } from "@effect/platform/HttpClientError"
import { type HttpFailure, toHttpFailure } from "./service.js"

/** The failure behind an error of Effect's client, whose reason has what `fetch` has thrown. */
export const platformFailure = ({ reason }: HttpClientError): HttpFailure =>
  toHttpFailure(reason.cause ?? reason)

/** Whether there is no body, which clients may report as an error. */
export const isEmptyBody = ({ reason }: HttpClientError): boolean => reason._tag === "EmptyBodyError"
