import { deliveryMutations } from './delivery.ts'
import type { Mutation } from './mutation.ts'
import { peopleMutations } from './people.ts'
import { seeingMutations } from './seeing.ts'
import { strangerMutations } from './strangers.ts'

export { chaosMutations } from './chaos.ts'
export type { Mutation } from './mutation.ts'

/** All that `npm run test:mutations` tries. */
export const mutations: readonly Mutation[] = [
  ...deliveryMutations,
  ...strangerMutations,
  ...peopleMutations,
  ...seeingMutations,
]
