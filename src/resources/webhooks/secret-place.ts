/** What a secret is sealed to: its row. */
export const placeOfSecret = (id: string) => ({ purpose: 'webhook-secret', id })
