import * as Effect from "effect4/Effect"
import * as Client from "effect4/http/HttpClient"
import type { HttpClientRequest } from "effect4/http/HttpClientRequest"

export * from "effect4/http/HttpClient"

/** What a client's requests inherit are references. */
const provided = <E, R>(
  self: Client.HttpClient.With<E, R>,
  provide: <A, E2, R2>(effect: Effect.Effect<A, E2, R2>) => Effect.Effect<A, E2, R2>
): Client.HttpClient.With<E, R> => Client.transformResponse(self, provide)

export const withTracerDisabledWhen =
  (isDisabled: (request: HttpClientRequest) => boolean) =>
  <E, R>(self: Client.HttpClient.With<E, R>): Client.HttpClient.With<E, R> =>
    provided(self, Effect.provideService(Client.TracerDisabledWhen, isDisabled))

export const withTracerPropagation =
  (isEnabled: boolean) =>
  <E, R>(self: Client.HttpClient.With<E, R>): Client.HttpClient.With<E, R> =>
    provided(self, Effect.provideService(Client.TracerPropagationEnabled, isEnabled))
