import { readFileSync } from 'node:fs'
import { Markup, markup } from '../core/markup.ts'
import { operationsOf, resolved, type ApiDocument, type Operation } from './document.ts'
import { introduction, type Chapter } from './introduction.ts'
import { prose, section } from './markup.ts'
import { links, operationSection } from './operation.ts'

/** The API reference at `/docs`: one page of plain HTML made from the OpenAPI document, without a script. */
export function referencePage(document: Record<string, unknown>, now: number): string {
  const { info, servers, tags, paths, components } = resolved(document)
  // The page cannot know under which name its reader reached it.
  const base = new URL(servers[0]?.url ?? '', 'http://localhost:3000').href.replace(/\/$/, '')
  const operations = operationsOf(paths, base, soonAfter(now))
  const chapters = introduction(operations, components)
  const groups = tags.map(({ name }): Group => [name, operations.filter((each) => each.tags.includes(name))])
  return markup`<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} API reference</title>
<style>${style()}</style>
<a class="skip" href="#main">Skip to the reference</a>
${navigation(info, chapters, groups)}
<main id="main">
<header><h1>${info.title} API</h1>${prose(info.description)}
<p>Base URL: <code>${base}</code><br>For machines: <a href="/openapi.json">openapi.json</a></p></header>
${chapters.map(([title, text, code]) => section(anchor(title), markup`<h2>${title}</h2>${text}`, code))}
${groups.map(([tag, members]) => markup`<h2 class="group">${titleOf(tag)}</h2>\n${members.map(operationSection)}`)}
<a class="up" href="#contents">Contents</a>
</main></html>
`.text
}

/** Within the year that something can be scheduled ahead, and so far away that the page may get old. */
const soonAfter = (now: number): string => `${new Date(now + 180 * 86_400_000).toISOString().slice(0, 10)}T09:30:00Z`

/** Later files build on earlier ones. */
function style(): Markup {
  const files = ['base.css', 'page.css'].map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
  return new Markup(files.join('\n'))
}

type Group = [tag: string, members: Operation[]]

const navigation = ({ title, version }: ApiDocument['info'], chapters: Chapter[], groups: Group[]): Markup =>
  markup`<nav id="contents" aria-label="Contents"><details><summary>${title} <small>API ${version}</small></summary>
<ul class="links">${chapters.map(([chapter]) => markup`<li><a href="#${anchor(chapter)}">${chapter}</a>`)}</ul>
${groups.map(([tag, members]) => markup`<p>${titleOf(tag)}</p>${links(members)}`)}
</details></nav>`

const anchor = (chapter: string): string => chapter.replace(' ', '-')

/** `api-keys` → `API keys`. */
const titleOf = (tag: string): string =>
  tag.replaceAll('-', ' ').replace(/^(api|sms)\b|^./, (start) => start.toUpperCase())
