import { useEffect, useRef } from 'react'
import { currentSettings } from './settings.ts'

/** What a key does, by its name: `j`, `?`, `Escape`, `g o` (one after the other), `mod+k` (⌘ or Ctrl). */
export type Keys = Readonly<Record<string, KeyAction | undefined>>

/** Answers false when the key was not meant for it; the next layer, or the browser, then has it. */
export type KeyAction = () => unknown

const SEQUENCE_MS = 1_200

interface Layer {
  current: Keys
}

/** The last layer is asked first: what a page does with a key comes before what the frame does. */
const layers: Layer[] = []
let first: { key: string; at: number } | undefined
let isListening = false

/** While the component is there, these keys act. Single letters never act in fields or in dialogs, and can be switched off. */
export function useKeys(keys: Keys): void {
  const layer = useRef(keys)
  useEffect(() => {
    layer.current = keys
  })
  useEffect(() => {
    listen()
    layers.push(layer)
    return () => void layers.splice(layers.indexOf(layer), 1)
  }, [])
}

function listen(): void {
  if (isListening) return
  isListening = true
  document.addEventListener('keydown', press)
}

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey) return
  const isModified = event.metaKey || event.ctrlKey
  if (!isModified && (isTyping(event.target) || isInDialog(event.target))) return
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  if (!isModified && event.key.length === 1 && !currentSettings().singleKeys) return
  const begun = first !== undefined && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${key}` : undefined
  const name = isModified ? `mod+${key}` : key
  first = !isModified && key.length === 1 && begun === undefined ? { key, at: event.timeStamp } : undefined
  if ((begun !== undefined && act(begun)) || act(name)) event.preventDefault()
}

const act = (name: string): boolean =>
  layers.toReversed().some(({ current }) => current[name] !== undefined && current[name]() !== false)

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('textarea, select, input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"])'))

/** A dialog or an open menu has keys of its own. */
const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]') !== null

/** Whether this keyboard has ⌘ in place of Ctrl. */
const hasCommandKey = /mac|iphone|ipad/i.test(navigator.platform)

/** "⌘K" or "Ctrl K". */
export const withModifier = (key: string): string => (hasCommandKey ? `⌘${key}` : `Ctrl ${key}`)
