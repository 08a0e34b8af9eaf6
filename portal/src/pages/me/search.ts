import { oneOf } from '../../kit/address.ts'

/** Whoever lacks what the workspace asks for is led here, and told why. */
export const meSearch = { needs: oneOf(['second-factor']) }
