export interface RemoteImages {
  https: number
  /** These stay out whatever is asked for. */
  http: number
}

/** Counts the images that a mail would fetch. */
export function remoteImagesIn(html: string): RemoteImages {
  const found = new Set(addressesIn(html).map((address) => address.trim()))
  const count = (scheme: RegExp): number => [...found].filter((address) => scheme.test(address)).length
  return { https: count(/^(https:)?\/\//i), http: count(/^http:\/\//i) }
}

/** Attributes and styles, by their text: a page under Trusted Types has no parser for the HTML of others. */
function addressesIn(html: string): string[] {
  const inAttributes = [...html.matchAll(/\b(?:src|srcset|background|poster)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi)]
  const inStyles = [...html.matchAll(/url\(\s*["']?([^"')]+)/gi)]
  return [...inAttributes, ...inStyles].flatMap(([whole, ...groups]) => {
    const value = decodedEntities(groups.find((group) => group !== undefined) ?? '')
    return /^srcset/i.test(whole ?? '') ? value.split(',').map((part) => part.trim().split(/\s/)[0] ?? '') : [value]
  })
}

const decodedEntities = (text: string): string => text.replaceAll('&amp;', '&').replaceAll(/&#x2f;|&#47;|&sol;/gi, '/')
