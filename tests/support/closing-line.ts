import type { Reporter, TestModule } from 'vitest/node'

/** Ends every run with one line that people and machines read alike: `N passed, N failed`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const passed = tests.filter((test) => test.result().state === 'passed').length
    const failing = tests.filter((test) => test.result().state === 'failed')
    // A file that cannot be loaded, or whose set-up fails, has no failing test, and must not look green.
    const guilty = new Set(failing.map((test) => test.module))
    const broken = modules.filter((module) => module.state() === 'failed' && !guilty.has(module))
    const failed = failing.length + broken.length + errors.length
    process.on('exit', () => console.log(`${passed} passed, ${failed} failed`))
  }
}
