import type { Reporter, TestModule } from 'vitest/node'

/** Ends every run with one line that people and machines read alike: `N passed, N failed`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const passed = tests.filter((test) => test.result().state === 'passed').length
    // A file that cannot even be loaded has no tests, and must not look green.
    const broken = modules.filter((module) => module.state() === 'failed' && !module.children.allTests().next().value)
    const failed = tests.filter((test) => test.result().state === 'failed').length + broken.length + errors.length
    process.on('exit', () => console.log(`${passed} passed, ${failed} failed`))
  }
}
