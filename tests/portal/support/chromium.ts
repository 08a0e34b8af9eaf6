/** Chromium's own sandbox does not work for root, who runs tests in containers. */
export const argumentsHere = (): string[] => (process.getuid?.() === 0 ? ['--no-sandbox'] : [])
