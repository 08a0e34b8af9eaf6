/** The list of keys is short: what is looked for in it does not stand in the address. */
export const keysSearch = {}
