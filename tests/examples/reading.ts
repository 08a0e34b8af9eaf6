import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { settings } from '../../src/config/schema.ts'
import { loadSmsConnections } from '../../src/app/sms-connections.ts'
import { eventually } from '../support/eventually.ts'
import type { ShownRecord } from '../support/domains.ts'
import { testDirectory } from '../support/posthouse-process.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { differences, parseExample, patternOf } from './answers.ts'
import { blocksOf, placeOf, type Block } from './blocks.ts'
import { expectStates } from './drawings.ts'
import type { Installation } from './installation.ts'
import { fillIn } from './placeholders.ts'
import { Shell, statementsOf, type Ran } from './shell.ts'

/** Somebody who reads a page from top to bottom and does everything that it says. */
export class Reader {
  readonly #root: string
  readonly #installation: Installation
  readonly #receiver: Receiver
  readonly #directory = testDirectory()
  readonly #shell: Shell
  readonly #shown: string[]
  /** Files that no line has used so far. */
  readonly #unused = new Set<string>()
  #last: { statement: string; ran: Ran } | undefined

  constructor(root: string, installation: Installation, receiver: Receiver) {
    const { node } = installation
    this.#root = root
    this.#installation = installation
    this.#receiver = receiver
    this.#shown = [node.stdout]
    this.#shell = new Shell(this.#directory, {
      // Behind `npx` there has to be the Node that this runs on.
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      HOME: this.#directory,
      DATA_DIR: node.dataDir,
    })
    onTestFinished(() => this.#shell.stop())
  }

  async follow(block: Block): Promise<void> {
    const { language, file, text } = block
    if (file !== undefined) return this.#keep(file, text)
    if (language === 'sh') return this.#type(block)
    if (language === 'json') return this.#expectAnswer(block)
    if (language === 'http') return this.#expectEvent(block)
    if (language === '') return expectStates(this.#root, block)
    if (language === 'text') return this.#expectGreeting(block)
    throw new Error(`${placeOf(block)}: nothing runs this block. Let it be run, or name it among the exceptions.`)
  }

  /** At the end of the page. */
  close(): void {
    expect([...this.#unused], 'files that nothing uses').toEqual([])
  }

  async #type(block: Block): Promise<void> {
    for (const statement of statementsOf(block.text)) {
      if (/\bnpm start$/.test(statement)) readSettings(statement.replace(/npm start$/, ''))
      else await this.#run(statement, block)
    }
  }

  async #run(statement: string, block: Block): Promise<Ran> {
    for (const file of this.#unused) if (statement.includes(file)) this.#unused.delete(file)
    const around = { root: this.#root, node: this.#installation.node, receiverPort: this.#receiver.port }
    const filled = fillIn(statement, { ...around, shown: this.#shown })
    const ran = await this.#shell.run(filled)
    const about = `${placeOf(block)}\n${filled}\n${ran.out}\n${ran.err}`
    expect(ran.code, about).toBe(0)
    // A refusal that is meant to be seen is announced: `# 403: …`.
    const announced = [...statement.matchAll(/# (4\d\d)\b/g)].map(([, status]) => Number(status))
    const refusals = ran.answers.map(({ status }) => status).filter((status) => status < 200 || status > 299)
    expect(refusals, about).toEqual(announced)
    this.#shown.push(ran.out)
    this.#last = { statement, ran }
    this.#publishRecords(statement, ran)
    return ran
  }

  #publishRecords(statement: string, { out }: Ran): void {
    if (!/domains -d /.test(statement)) return
    this.#installation.publish((JSON.parse(out) as { records: ShownRecord[] }).records)
  }

  /** Who asks right after a send may be early: a question is asked again until the answer is the one shown. */
  async #expectAnswer(block: Block): Promise<void> {
    if (this.#last === undefined) throw new Error(`${placeOf(block)}: nobody has asked anything yet`)
    const { statement } = this.#last
    const isQuestion = this.#last.ran.answers.at(-1)?.method === 'GET'
    const example = parseExample(block.text)
    let { ran } = this.#last
    let different: string[] = []
    const agrees = async (): Promise<boolean> => {
      different = differences(example, JSON.parse(ran.out))
      if (different.length > 0 && isQuestion) ran = await this.#run(statement, block)
      return different.length === 0
    }
    if (isQuestion) await eventually('the answer', agrees).catch(() => {})
    else await agrees()
    expect(different, `${placeOf(block)}\n${ran.out}`).toEqual([])
  }

  async #expectEvent(block: Block): Promise<void> {
    const [head = '', body = ''] = block.text.split('\n\n')
    const [request = '', ...headers] = head.split('\n')
    const example = {
      path: request.split(' ')[1],
      headers: { ...Object.fromEntries(headers.map((line) => line.split(': '))), '…': true },
      body: parseExample(body),
      '…': true,
    }
    const arrived = () => this.#receiver.heard.some((one) => differences(example, one).length === 0)
    await eventually('such an event', arrived).catch(() => {
      expect(
        this.#receiver.heard.map((one) => differences(example, one)),
        placeOf(block),
      ).toContainEqual([])
    })
  }

  /** Line by line, in order; there may be lines between them. What it offers to be copied is run as it was printed. */
  async #expectGreeting(block: Block): Promise<void> {
    const { node } = this.#installation
    const printed = node.stdout.split('\n').values()
    for (const line of block.text.split('\n')) {
      const here = line
        .replace('http://127.0.0.1:3000', node.url)
        .replace('http://localhost:3000', node.url.replace('127.0.0.1', 'localhost'))
        .replace('127.0.0.1:2525', '…')
      const pattern = patternOf(here)
      expect(
        printed.some((other) => pattern.test(other)),
        `${placeOf(block)}: no such line in the greeting:\n${line}`,
      ).toBe(true)
    }
    const offered = node.stdout.match(/^ {2}curl [^]*?(?=\n\n)/gm) ?? []
    expect(offered).toHaveLength(2)
    for (const command of offered) await this.#run(command, block)
  }

  #keep(file: string, text: string): void {
    const path = join(this.#directory, file)
    writeFileSync(path, `${text}\n`)
    if (file !== 'connections.json') this.#unused.add(file)
    else loadSmsConnections(loadConfig({ SMS_CONNECTIONS_FILE: path }))
  }
}

const known = new Set<string>(Object.values(settings).map(({ variable }) => variable))

/** `NAME=value NAME=value`, as it stands before a command: names that there are, with values that are taken. */
export function readSettings(line: string): void {
  const given = [...line.matchAll(/(?<=^| )([A-Z][A-Z0-9_]+)=(\S+)/g)].map(([, name = '', value]) => [name, value])
  expect(
    given.map(([name = '']) => name).filter((name) => !known.has(name)),
    line,
  ).toEqual([])
  loadConfig(Object.fromEntries(given) as Record<string, string>)
}

/** With the domain that README verifies, and a shell that knows what README has told it. */
export async function openPage(root: string, document: string, installation: Installation): Promise<Reader> {
  const reader = new Reader(root, installation, await startReceiver())
  if (document === 'README.md') return reader
  await installation.ownDomain()
  const first = blocksOf(root, 'README.md').find(({ text }) => text.includes('api() {'))
  if (first === undefined) throw new Error('README.md no longer says what `api` is')
  await reader.follow(first)
  return reader
}
