import type { HttpClientError } from "@effect/platform/HttpClientError"
import { type HttpFailure, toHttpFailure } from "./service.js"

/** The failure behind an error of a platform client, which wraps all network failures as `Transport`. */
export const platformFailure = (error: HttpClientError): HttpFailure => toHttpFailure(error.cause ?? error)

/** Whether there is no body, which platform clients report as an error. */
export const isEmptyBody = (error: HttpClientError): boolean => error.reason === "EmptyBody"
