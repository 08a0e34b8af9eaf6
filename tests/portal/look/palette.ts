/** Makes the picture of a screen small: with 256 colours at most it is a third as large, and nobody sees the difference. */
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const MAX_COLOURS = 256
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Takes a PNG as browsers write it: eight bits a channel, not interlaced. Transparency is left out. */
export function withPalette(png: Buffer): Buffer {
  const { width, height, pixels } = read(png)
  const { palette, placeOf } = paletteOf(pixels)
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = placeOf.get(pixels[y * width + x]!)!
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const colours = Buffer.from(palette.flatMap((colour) => channelsOf(colour)))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

interface Raster {
  width: number
  height: number
  /** Row by row, as 0xrrggbb. */
  pixels: Uint32Array
}

function read(png: Buffer): Raster {
  const parts: Buffer[] = []
  let header: Buffer = Buffer.alloc(13)
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    const data = png.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR') header = data
    if (type === 'IDAT') parts.push(data)
    at += length + 12
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth, kind, , , interlaced] = header.subarray(8)
  if (depth !== 8 || (kind !== 2 && kind !== 6) || interlaced !== 0) throw new Error('no picture of a screen')
  return { width, height, pixels: unfiltered(inflateSync(Buffer.concat(parts)), width, height, kind === 6 ? 4 : 3) }
}

/** PNG §9: every octet is written as its difference to octets on its left and above. */
function unfiltered(bytes: Buffer, width: number, height: number, channels: number): Uint32Array {
  const length = width * channels
  const pixels = new Uint32Array(width * height)
  let above = Buffer.alloc(length)
  for (let y = 0; y < height; y++) {
    const start = y * (length + 1)
    const row = Buffer.from(bytes.subarray(start + 1, start + 1 + length))
    for (let i = 0; i < length; i++) {
      const left = i < channels ? 0 : row[i - channels]!
      const corner = i < channels ? 0 : above[i - channels]!
      row[i] = row[i]! + predicted(bytes[start]!, left, above[i]!, corner)
    }
    for (let x = 0; x < width; x++) pixels[y * width + x] = row.readUIntBE(x * channels, 3)
    above = row
  }
  return pixels
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  if (filter !== 4) return 0
  const [toLeft, toAbove, toCorner] = [above - corner, left - corner, left + above - 2 * corner].map(Math.abs)
  if (toLeft! <= toAbove! && toLeft! <= toCorner!) return left
  return toAbove! <= toCorner! ? above : corner
}

const channelsOf = (colour: number): [number, number, number] => [colour >> 16, (colour >> 8) & 255, colour & 255]

interface Box {
  colours: number[]
  /** The channel in which they differ most, and by how much. */
  channel: number
  spread: number
}

/** Divides the colours where they differ most; the most frequent one of each part stands for all of it. */
function paletteOf(pixels: Uint32Array): { palette: number[]; placeOf: Map<number, number> } {
  const counts = new Map<number, number>()
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
  const boxes = [boxOf([...counts.keys()])]
  while (boxes.length < MAX_COLOURS) {
    const widest = boxes.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one))
    if (widest.spread === 0) break
    boxes.splice(boxes.indexOf(widest), 1, ...halves(widest))
  }
  const placeOf = new Map(boxes.flatMap(({ colours }, place) => colours.map((colour) => [colour, place] as const)))
  const frequent = (one: number, other: number): number => (counts.get(other)! > counts.get(one)! ? other : one)
  return { palette: boxes.map(({ colours }) => colours.reduce(frequent)), placeOf }
}

const weightOf = ({ spread, colours }: Box): number => spread * Math.sqrt(colours.length)

function boxOf(colours: number[]): Box {
  const spreads = [0, 1, 2].map((channel) => {
    let [least, most] = [255, 0]
    for (const colour of colours) {
      const value = channelsOf(colour)[channel]!
      least = Math.min(least, value)
      most = Math.max(most, value)
    }
    return most - least
  })
  const spread = Math.max(...spreads)
  return { colours, spread, channel: spreads.indexOf(spread) }
}

function halves({ colours, channel }: Box): Box[] {
  const sorted = colours.toSorted((one, other) => channelsOf(one)[channel]! - channelsOf(other)[channel]!)
  const middle = sorted.length >> 1
  return [boxOf(sorted.slice(0, middle)), boxOf(sorted.slice(middle))]
}
