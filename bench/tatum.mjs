/** The client that users would migrate from, as npm has it. */
import { join } from "node:path"
import * as cached from "../scripts/cached.mjs"

export const version = "4.2.58"
const name = "@tatumio/tatum"
const packages = { [name]: version }

/** The folder it is in, for bundlers. */
export const folder = join(cached.homeOf(packages), "node_modules", ...name.split("/"))

/** Installs it if need be; returns why it is not to be had, or undefined. */
export const ensure = () => cached.ensure(packages)

/** What it exports. */
export const load = () => cached.load(packages, name)

/** It with its wallet package, which is another set: only payments want it. */
const withWallet = { ...packages, "@tatumio/evm-wallet-provider": "1.0.12" }

/** Installs both if need be; returns why they are not to be had, or undefined. */
export const ensureWallet = () => cached.ensure(withWallet)

/** What both export. */
export const loadWallet = () => ({
  ...cached.load(withWallet, name),
  ...cached.load(withWallet, "@tatumio/evm-wallet-provider")
})
