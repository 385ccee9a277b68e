// The contracts of the tests, compiled: their ABIs, and the code that deploys them and that they have then.
import { readFile } from "node:fs/promises"
import solc from "solc"

export const compiled = async (file = "Vault.sol") => {
  const content = await readFile(`${import.meta.dirname}/${file}`, "utf8")
  const { contracts, errors = [] } = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: "Solidity",
        sources: { [file]: { content } },
        settings: {
          optimizer: { enabled: true, runs: 200 },
          evmVersion: "paris",
          outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } }
        }
      })
    )
  )
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"))
  return Object.fromEntries(
    Object.entries(contracts[file]).map(([name, { abi, evm }]) => [
      name,
      { abi, code: `0x${evm.bytecode.object}`, deployed: `0x${evm.deployedBytecode.object}` }
    ])
  )
}
