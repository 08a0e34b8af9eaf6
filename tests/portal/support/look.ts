/** What is wrong with the page as it is now, whatever it shows: what axe finds, and what axe cannot see. */
import { axeFindings } from './axe.ts'
import { screens, type Visitor } from './visitor.ts'

const looks = [
  { colorScheme: 'light', contrast: 'no-preference' },
  { colorScheme: 'dark', contrast: 'no-preference' },
  { colorScheme: 'light', contrast: 'more' },
] as const

/** In all colours, wide and narrow, without a reload. */
export async function findingsOn(visitor: Visitor): Promise<string[]> {
  const { page } = visitor
  const found = [...(await page.evaluate(headProblems))]
  for (const look of looks) {
    await page.emulateMedia(look)
    await page.evaluate(drawAnew)
    const seen = await axeFindings(visitor, look === looks[0] ? 'everything' : 'colours')
    found.push(...seen.map((finding) => `${look.colorScheme}, contrast ${look.contrast}: ${finding}`))
  }
  found.push(...(await page.evaluate(smallTargets)))
  found.push(...(await narrowFindings(visitor)))
  await page.emulateMedia(looks[0])
  found.push(...(await page.evaluate(() => (window as unknown as { spokenTwice: string[] }).spokenTwice)))
  return found
}

/** What is wrong with the page at 320 px. */
export async function narrowFindings(visitor: Visitor): Promise<string[]> {
  const { page } = visitor
  await page.setViewportSize(screens.narrow)
  await visitor.nextFrames()
  const found = [
    ...(await visitor.sideways()).map((what) => `at 320 px it scrolls sideways: ${what}`),
    ...(await page.evaluate(smallTargets)).map((finding) => `at 320 px ${finding}`),
  ]
  await page.setViewportSize(screens.wide)
  return found
}

/** Of a page that nobody looks at, Chromium answers with the colours from before for some elements. */
function drawAnew(): void {
  document.body.hidden = true
  void document.body.offsetHeight
  document.body.hidden = false
}

/** One heading of the first rank, and a title that begins with it. */
function headProblems(): string[] {
  const headings = [...document.querySelectorAll('h1')].map(({ textContent }) => textContent)
  const [first = ''] = headings
  return [
    ...(headings.length === 1 ? [] : [`it has ${headings.length} headings of the first rank: ${headings.join(' | ')}`]),
    ...(first !== '' && document.title.startsWith(first) ? [] : [`its title “${document.title}” is not “${first}”`]),
    ...(document.title.endsWith('Posthouse') ? [] : [`its title “${document.title}” does not name the product`]),
  ]
}

/**
 * Controls below 24 px; a press on its label is a press on a checkbox. A link that is plain text is as high as its line, and
 * whether others are too near is found by axe.
 */
function smallTargets(): string[] {
  const MIN_PX = 24
  const isSeen = (element: Element): boolean => {
    const isClipped = (one: Element | null): boolean =>
      one !== null && (getComputedStyle(one).clipPath !== 'none' || isClipped(one.parentElement))
    return element.checkVisibility({ visibilityProperty: true }) && !isClipped(element)
  }
  const isPlainLink = (element: Element): boolean =>
    element.matches('a[href]') && getComputedStyle(element).paddingBlockStart === '0px'
  const boxOf = (element: Element): { width: number; height: number } => {
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
    const boxes = [element, ...labels].map((part) => part.getBoundingClientRect())
    const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))]
    const [right, bottom] = [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))]
    return { width: right - left, height: bottom - top }
  }
  const targets = 'a[href], button, input, select, textarea, summary, [role="tab"], [role="menuitem"], [role="option"]'
  return [...document.querySelectorAll(targets)]
    .filter((element) => isSeen(element) && !isPlainLink(element))
    .flatMap((element) => {
      const { width, height } = boxOf(element)
      if (width >= MIN_PX - 0.5 && height >= MIN_PX - 0.5) return []
      const name = element.getAttribute('aria-label') ?? element.textContent
      return [`a target has ${Math.round(width)} × ${Math.round(height)} px: ${element.tagName} “${name}”`]
    })
}

/**
 * Runs in every page before its own scripts, and notes in `spoken` what a screen reader reads out, and in `spokenTwice` what it
 * reads out twice: because a live region lies within another, or because one that is gone came back with the same words.
 */
export function watchSpeech(): void {
  const LIVE = '[aria-live]:not([aria-live="off"]), [role="status"], [role="alert"], [role="log"]'
  const spokenTwice: string[] = []
  const spoken: { region: Element; text: string }[] = []
  Object.assign(window, { spoken, spokenTwice })
  const speak = (region: Element): void => {
    const text = (region.textContent ?? '').trim()
    const last = spoken.findLast((one) => one.region === region)
    if (text === '' || last?.text === text) return
    const before = spoken.find((one) => one.text === text && one.region !== region)
    if (before !== undefined && (!before.region.isConnected || before.region.contains(region))) {
      spokenTwice.push(`it is read out twice: ${text}`)
    }
    spoken.push({ region, text })
  }
  new MutationObserver((records) => {
    const regions = new Set<Element>()
    for (const { target, addedNodes } of records) {
      for (
        let region = (target instanceof Element ? target : target.parentElement)?.closest(LIVE);
        region !== undefined && region !== null;
        region = region.parentElement?.closest(LIVE)
      ) {
        regions.add(region)
      }
      for (const node of addedNodes) {
        if (node instanceof Element) for (const inner of node.querySelectorAll(LIVE)) regions.add(inner)
        if (node instanceof Element && node.matches(LIVE)) regions.add(node)
      }
    }
    for (const region of regions) speak(region)
  }).observe(document, { subtree: true, childList: true, characterData: true })
}
