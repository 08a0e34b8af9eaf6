/** Reports that are broken, or made to do harm. */
import { gzipSync } from 'node:zlib'
import { formats, mailOf, pack, randomOf, reportOf, zipOf, type Report } from './aggregate-reports.ts'

export interface Malformed {
  what: string
  mail: Buffer
}

const MB = 1024 * 1024

const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** 30 MB of nothing in 30 KB; forty of them are one file, too. */
const bomb = once(() => gzipSync(Buffer.alloc(30 * MB)))
const row = '<record><row><source_ip>192.0.2.1</source_ip><count>%</count></row></record>'
const whole = (rows: string, { domain, id, begin }: Report, start = '<feedback>'): string =>
  `<?xml version="1.0"?>${start}<report_metadata><org_name>Evil</org_name><report_id>${id}</report_id><date_range>` +
  `<begin>${begin}</begin><end>${begin + 86_399}</end></date_range></report_metadata><policy_published><domain>${domain}` +
  `</domain></policy_published>${rows}</feedback>`

type Make = (report: Report, random: (most: number) => number, good: Buffer) => Buffer

/** None of these is a report. */
const broken: Readonly<Record<string, Make>> = {
  'a file that is cut off': (_, random, good) => good.subarray(0, 1 + random(good.length - 30)),
  'XML that is cut off': (report, random) => {
    const xml = whole(row.replace('%', '1'), report)
    return gzipSync(xml.slice(0, xml.length - 1 - random(xml.length - 60)))
  },
  'a bomb in gzip': () => bomb(),
  'a bomb of forty bombs': () => Buffer.concat(Array.from({ length: 40 }, bomb)),
  'a bomb in zip': once(() => zipOf([{ name: 'a.xml', bytes: Buffer.alloc(30 * MB, 0x20) }])),
  'a bomb in zip that says it is small': once(() =>
    zipOf([{ name: 'a.xml', bytes: Buffer.alloc(25 * MB, 0x20) }], { claimed: 500 }),
  ),
  'an archive in an archive': (report) => gzipSync(gzipSync(whole(row.replace('%', '1'), report))),
  'a wrong checksum in zip': (report) =>
    zipOf([{ name: 'a.xml', bytes: Buffer.from(whole(row.replace('%', '1'), report)) }], { crc: 12_345 }),
  'a wrong checksum in gzip': (report) => {
    const file = gzipSync(whole(row.replace('%', '1'), report))
    file.writeUInt32LE((file.readUInt32LE(file.length - 8) ^ 1) >>> 0, file.length - 8)
    return file
  },
  'a thousand files': (report) =>
    zipOf(
      Array.from({ length: 1_000 }, (_, i) => ({
        name: `${i}.xml`,
        bytes: Buffer.from(whole(row.replace('%', '1'), report)),
      })),
    ),
  'files with paths': () => zipOf([{ name: '../../../../etc/passwd', bytes: Buffer.from('root:x:0:0') }]),
  'elements without end': () => gzipSync(`<feedback>${'<record>'.repeat(100_000)}`),
  'elements without number': once(() => gzipSync(`<feedback>${'<a/>'.repeat(1_000_000)}</feedback>`)),
  'an attribute of a megabyte': () => gzipSync(`<feedback a="${'b'.repeat(MB)}`),
  'a count that is too large': (report) => gzipSync(whole(row.replace('%', '99999999999999'), report)),
  'a count with more digits than numbers have': (report) =>
    gzipSync(whole(row.replace('%', '9'.repeat(5_000)), report)),
  'a count that is negative': (report) => gzipSync(whole(row.replace('%', '-7'), report)),
  'a count that is a word': (report) => gzipSync(whole(row.replace('%', '<b>many</b>'), report)),
  'a source that is no address': (report) =>
    gzipSync(whole(row.replace('%', '1').replace('192.0.2.1', "1'; drop table dmarc_sums; --"), report)),
  'a time that never was': (report) => gzipSync(whole(row.replace('%', '1'), { ...report, begin: 9_999_999_999 })),
  'no domain': (report) => gzipSync(whole(row.replace('%', '1'), { ...report, domain: '' })),
  'two domains': (report) =>
    gzipSync(whole(row.replace('%', '1'), report).replace('<domain>', '<domain>other.example</domain><domain>')),
  'no id': (report) => gzipSync(whole(row.replace('%', '1'), { ...report, id: '' })),
  'another document': () => gzipSync('<?xml version="1.0"?><html><body>Hello</body></html>'),
  'JSON without end': () => gzipSync(`{"policies":${'['.repeat(500_000)}`),
  'JSON that is no report': () => gzipSync('{"organization-name":7,"policies":[null,{"policy":[]}]}'),
  'JSON with wrong types': () =>
    gzipSync(
      '{"organization-name":"x","report-id":"y","date-range":{"start-datetime":"2026-01-01T00:00:00Z","end-datetime":"2026-01-02T00:00:00Z"},"policies":{"a":1}}',
    ),
  nothing: () => Buffer.alloc(0),
  noise: (_, random) => Buffer.from(Array.from({ length: 2_000 }, () => random(256))),
}

/** A reader may make something of these, or not. */
const doubtful: Readonly<Record<string, Make>> = {
  'entities that grow': (report) =>
    gzipSync(
      whole(
        row.replace('%', '1'),
        report,
        `<!DOCTYPE feedback [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 20 }, (_, i) => `<!ENTITY a${i} "${`&a${i === 0 ? '' : i - 1};`.repeat(10)}">`).join('')}<!ENTITY f SYSTEM "file:///etc/passwd">]><feedback>`,
      ).replace('Evil', 'Evil &a19; &f;'),
    ),
  'bytes that were changed': (report, random) => {
    const file = Buffer.from(whole(row.replace('%', '1'), report))
    for (let i = 0; i < 10; i++) file[random(file.length)] = random(256)
    return file
  },
  'a packed file with changed bytes': (_, random, good) => {
    const file = Buffer.from(good)
    for (let i = 0; i < 3; i++) file[random(file.length)] = random(256)
    return file
  },
  'twenty thousand rows': (report) =>
    gzipSync(
      whole(
        Array.from({ length: 20_000 }, (_, i) =>
          row.replace('192.0.2.1', `10.0.${i >> 8}.${i & 255}`).replace('%', '1'),
        ).join(''),
        report,
      ),
    ),
}

const makers = { ...broken, ...doubtful }

export const malformedKinds = Object.keys(makers)

export const isBroken = (what: string): boolean => what in broken

export function malformed(seed: number, domain = 'posts.example'): Malformed {
  const random = randomOf(seed)
  const what = malformedKinds[seed % malformedKinds.length]!
  const report = { ...reportOf(seed, { domain }), id: `malformed ${seed}` }
  const good = pack(formats[random(formats.length - 1)]!, report).file
  const file = makers[what]!(report, random, good)
  const name = { filename: `report${seed}.xml.gz`, contentType: 'application/gzip', reporter: 'Evil' }
  return { what, mail: mailOf({ ...name, file, report }) }
}
