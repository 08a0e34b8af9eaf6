import type { ComponentType } from 'react'
import { InvitationPage } from './invitation.tsx'
import { Recover } from './recover.tsx'
import { Setup } from './setup.tsx'
import { SignIn } from './sign-in.tsx'

/** The pages of those who are not signed in, by their address. */
export const doorPages: Readonly<Record<string, ComponentType<{ token: string | undefined }>>> = {
  '/sign-in': SignIn,
  '/setup': Setup,
  '/invitation': InvitationPage,
  '/recover': Recover,
}
