import { counted } from '../counting.ts'

const plural = (one: string, other: string) => counted('en', { one, other })

/** Looking at a mail. */
export const mail = {
  frame: 'Preview of the email',
  width: 'Width',
  desktop: 'Desktop',
  phone: 'Phone',
  scheme: 'Colours',
  light: 'Light',
  dark: 'Dark',
  isolated: 'Runs no script and loads nothing.',
  withImages: 'Runs no script. Remote images are loaded, and their servers see that.',
  loadImages: 'Load remote images',
  plainImages: plural(
    '# image stays out, because it is not on https.',
    '# images stay out, because they are not on https.',
  ),
  parts: {
    headersOf: 'Headers of the email',
    headerName: 'Name',
    headerValue: 'Value',
    sourceOf: 'Source of the email',
    sourceCut: (shown: string) => `The first ${shown} are shown. The download has all of it.`,
    attachments: 'Attachments',
    noAttachments: 'This email has no attachments.',
    attachmentName: 'Name',
    attachmentType: 'Type',
    attachmentSize: 'Size',
    attachmentActions: 'Actions',
    downloadAttachment: (name: string) => `Download ${name}`,
  },
}
