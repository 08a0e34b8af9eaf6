export const MAX_PROPERTIES = 100

export const MAX_PROPERTY_BYTES = 64 * 1024

export const MAX_PROPERTY_NAME_LENGTH = 100
