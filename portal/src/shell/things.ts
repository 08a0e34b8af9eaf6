import type { Reply } from '@posthouse/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { IconName } from '../kit/icons.tsx'
import { ask } from './api.ts'
import { useAddressExists, useProjectOrLast } from './pages.ts'

export type Thing = Reply<'GET /search'>['data'][number]

/** Nothing is asked for while a person types: only when so much time has passed since the last key. */
const SETTLED_MS = 150
const MAX_THINGS = 12

/**
 * The things that fit a text, as far as this portal has pages for them. The answer to what is typed now counts: one that
 * comes later than the next key is for another text and is not shown.
 */
export function useThingsFor(text: string): readonly Thing[] {
  const q = useSettled(text)
  const project = useProjectOrLast()
  const hasPage = useAddressExists()
  const isAsked = q.length >= 2 && q === text && project?.sees('stats:read') === true
  const { data } = useQuery({
    ...ask('GET /search', { query: { q, limit: MAX_THINGS, projectId: project?.id } }),
    enabled: isAsked,
    staleTime: 10_000,
    retry: false,
  })
  if (!isAsked) return []
  return (data?.data ?? []).filter(({ link }) => link !== null && hasPage(link))
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

export const thingIcons: Readonly<Record<Thing['type'], IconName>> = {
  address: 'person',
  project: 'next',
  key: 'key',
  person: 'person',
  domain: 'globe',
  email: 'mail',
  batch: 'mail',
  template: 'template',
  suppression: 'forbidden',
  audience: 'people',
  contact: 'person',
  tag: 'people',
  broadcast: 'broadcast',
  automation: 'automation',
  run: 'automation',
  webhook: 'webhook',
  delivery: 'webhook',
  receiving_domain: 'globe',
  received: 'inbox',
  sms: 'speech',
}
