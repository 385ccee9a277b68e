/** A reporter for vitest that names each test that passed only when it was run again. */
export default class {
  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky) console.log(`run twice: ${test.module.relativeModuleId}, ${test.fullName}`)
  }
}
