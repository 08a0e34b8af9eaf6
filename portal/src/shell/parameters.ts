import { useParams } from '@tanstack/react-router'

/** A part of the address, such as the id in `/p/$projectId/emails/$emailId`. */
export function useParameter(name: string): string {
  const parameters = useParams({ strict: false }) as Readonly<Record<string, string | undefined>>
  return parameters[name] ?? ''
}
