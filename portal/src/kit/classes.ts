/** Joins the names of classes that apply; the others are left out. */
export const classes = (...names: readonly (string | false | undefined)[]): string => names.filter(Boolean).join(' ')
