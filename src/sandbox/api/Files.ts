/**
 * Files on IPFS: uploads and downloads in the provider's format.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Multipart from "@effect/platform/Multipart"
import * as Schema from "effect/Schema"
import { Invalid, Missing, Unavailable } from "./Refusal.js"

/**
 * Files. Uploads are forms (`multipart/form-data`) with one `file`.
 *
 * @since 0.1.0
 * @category combinators
 */
export const group = HttpApiGroup.make("files")
  .add(
    HttpApiEndpoint.post("upload", "/ipfs")
      .setPayload(HttpApiSchema.MultipartStream(Schema.Struct({ file: Multipart.SingleFileSchema })))
      .addSuccess(Schema.Struct({ ipfsHash: Schema.String }))
  )
  .add(
    HttpApiEndpoint.get("download", "/ipfs/:cid")
      .setPath(Schema.Struct({ cid: Schema.String }))
      .addSuccess(HttpApiSchema.Uint8Array())
  )
  .addError(Invalid)
  .addError(Missing)
  .addError(Unavailable)
