import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** In storms there is much waiting for somebody to be missed, so two of them share the machine; the longest come first. */
const storms = ['kills', 'broadcasts', 'workers', 'nodes', 'database', 'failover']
/** Where speed or memory is promised there is nobody else. */
const measurements = ['webhooks', 'crowds', 'bombs', 'memory', 'queue']

const common = {
  globalSetup: ['tests/support/server.ts'],
  pool: 'forks' as const,
  // The longest storm is a hundred thousand signed mails, with processes killed and another storm beside it.
  testTimeout: 1_200_000,
  hookTimeout: 120_000,
}

const filesOf = (parts: readonly string[]): string[] => parts.map((part) => `tests/chaos/${part}.test.ts`)

/** As they are listed here. */
class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = filesOf([...storms, ...measurements])
    const placeOf = ({ moduleId }: TestSpecification): number => order.findIndex((file) => moduleId.endsWith(file))
    return files.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}

/** `npm run chaos` */
export default defineConfig({
  test: {
    sequence: { sequencer: InOrder },
    reporters: ['default', './tests/chaos/report.ts', './tests/support/closing-line.ts'],
    projects: [
      { test: { ...common, name: 'storms', include: filesOf(storms), maxWorkers: 2, sequence: { groupOrder: 0 } } },
      {
        test: {
          ...common,
          name: 'measurements',
          include: filesOf(measurements),
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
