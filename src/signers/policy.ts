/**
 * Policies of signers on the Effect surface: `effect-chains/effect/signers/policy`.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { OnThisEffect } from "../data/effectVersion.js"
import { make, type PolicyError, type PolicyOptions, type PolicyRules } from "./policyRules.js"
import type { Policy as SigningPolicy } from "./Signer.js"

export * from "./policyRules.js"

/**
 * The service of a policy that signers share.
 *
 * @since 0.1.0
 * @category services
 */
export class SharedPolicy extends Context.Tag("effect-chains/SharedPolicy")<SharedPolicy, SigningPolicy>() {}

/**
 * Provides a policy.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  rules: OnThisEffect<PolicyRules>,
  options: PolicyOptions = {}
): Layer.Layer<SharedPolicy, PolicyError> => Layer.effect(SharedPolicy, make(rules, options))
