export interface Input {
  /** Presses of a button of the mouse, or touches. */
  clicks: number
  /** Keys that move, choose, confirm or are shortcuts. */
  keys: number
  /** Keys by which a text was written into a field. */
  typed: number
}

interface Watched extends Window {
  noteInput(kind: keyof Input): void
  noteBreach(sentence: string): void
}

/** Runs in every page before its own scripts. */
export function watchInput(): void {
  const { noteInput, noteBreach } = window as unknown as Watched
  // In a mail that somebody else wrote, being held by the policy is how it should be.
  if (location.pathname === '/mail-frame' || location.protocol === 'about:') return
  addEventListener('pointerdown', ({ isTrusted }) => isTrusted && noteInput('clicks'), true)
  addEventListener(
    'keydown',
    ({ isTrusted, key, ctrlKey, metaKey, altKey, target }) => {
      if (!isTrusted || ['Shift', 'Control', 'Meta', 'Alt'].includes(key)) return
      const isText = target instanceof Element && target.matches('input, textarea, [contenteditable]')
      const writes = (key.length === 1 || key === 'Backspace') && !ctrlKey && !metaKey && !altKey
      noteInput(isText && writes ? 'typed' : 'keys')
    },
    true,
  )
  addEventListener(
    'securitypolicyviolation',
    ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) =>
      noteBreach(`${location.pathname} breached ${effectiveDirective}: ${blockedURI} (${sourceFile}:${lineNumber})`),
    true,
  )
}
