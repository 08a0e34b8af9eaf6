import { expect, test } from 'vitest'
import { strippedText, strippedTextOf } from '../../src/mail/reading/stripped-text.ts'

const answer = 'Yes, that works.\n\nAnn'

test.each([
  ['English', 'On Tue, 3 Nov 2026 at 09:14, Ben <ben@example.net> wrote:'],
  ['English, folded', 'On Tue, 3 Nov 2026 at 09:14, Benjamin Example\n<ben@example.net>\nwrote:'],
  ['German', 'Am 03.11.2026 um 09:14 schrieb Ben Example:'],
  ['French', 'Le mar. 3 nov. 2026 à 09:14, Ben <ben@example.net> a écrit :'],
  ['Spanish', 'El mar, 3 nov 2026 a las 9:14, Ben (<ben@example.net>) escribió:'],
  ['Italian', 'Il giorno mar 3 nov 2026 alle ore 09:14 Ben <ben@example.net> ha scritto:'],
  ['Portuguese', 'Em ter., 3 de nov. de 2026 às 09:14, Ben <ben@example.net> escreveu:'],
  ['Dutch', 'Op di 3 nov 2026 om 09:14 schreef Ben <ben@example.net>:'],
  ['a date of Gmail', '2026-11-03 9:14 GMT+01:00 Ben <ben@example.net>:'.replace(' 9', ' 09')],
  ['the name first', 'Ben Example <ben@example.net> schrieb am 3. Nov. 2026:'],
])('a quotation introduced in %s is taken away, marked or not', (_, sentence) => {
  expect(strippedText(`${answer}\n\n${sentence}\n\n> Does it work?\n> Ben\n`)).toBe(answer)
  if (/\d:\d/.test(sentence)) expect(strippedText(`${answer}\n\n${sentence}\n\nDoes it work?\n`)).toBe(answer)
})

test.each([
  ['English', '-----Original Message-----\nFrom: Ben\nSent: Tuesday'],
  ['German', '-----Ursprüngliche Nachricht-----\nVon: Ben'],
  ['French', "-----Message d'origine-----\nDe : Ben"],
  [
    'English without a line',
    'From: Ben Example <ben@example.net>\nSent: Tuesday, November 3, 2026 9:14\nTo: Ann\nSubject: Lamps',
  ],
  [
    'English below a line',
    '________________________________\nFrom: Ben\nSent: Tuesday, November 3, 2026 9:14\nTo: Ann',
  ],
  ['German without a line', 'Von: Ben\nGesendet: Dienstag, 3. November 2026 09:14\nAn: Ann\nBetreff: Lampen'],
  ['French without a line', 'De : Ben\nEnvoyé : mardi 3 novembre 2026 09:14\nÀ : Ann\nObjet : Lampes'],
  ['Spanish', 'De: Ben\nEnviado el: martes, 3 de noviembre de 2026 9:14\nPara: Ann\nAsunto: Lámparas'],
  ['Italian', 'Da: Ben\nInviato: martedì 3 novembre 2026 09:14\nA: Ann\nOggetto: Lampade'],
  ['Portuguese', 'De: Ben\nEnviada em: terça-feira, 3 de novembro de 2026 09:14\nPara: Ann\nAssunto: Luz'],
  ['Dutch', 'Van: Ben\nVerzonden: dinsdag 3 november 2026 09:14\nAan: Ann\nOnderwerp: Lampen'],
])('a message below in the manner of Outlook, in %s, is taken away', (_, block) => {
  expect(strippedText(`${answer}\n\n${block}\n\nDoes it work?\n`)).toBe(answer)
})

test.each([
  '-- \nAnn Example\nLamps Ltd.',
  '--\nAnn Example',
  'Sent from my iPhone',
  'Get Outlook for Android',
  'Von meinem iPhone gesendet',
  'Gesendet mit der GMX Mail App',
  'Envoyé de mon iPhone',
  'Enviado desde mi iPhone',
  'Inviato da iPhone',
  'Enviado do meu iPhone',
  'Verzonden vanaf mijn iPhone',
])('the signature "%s" is taken away', (signature) => {
  expect(strippedText(`${answer}\n\n${signature}\n`)).toBe(answer)
  expect(strippedText(`${answer}\n\n${signature}\n\nOn 3 Nov 2026 at 09:14, Ben wrote:\n> Does it?\n`)).toBe(answer)
})

test('answers between the lines stay', () => {
  const text = 'Hi,\n\nOn 3 Nov 2026, Ben wrote:\n> One?\nYes.\n> Two?\nNo.\n\n-- \nAnn\n'
  expect(strippedText(text)).toBe('Hi,\n\nYes.\nNo.')
})

test.each([
  ['a sentence about what somebody wrote', 'On the contrary, he wrote:\n\nLamps are fine.'],
  ['a quotation by hand', 'On page 3 the author wrote:\n\nLet there be light.\n\nI agree.'],
  ['one arrow', 'Prices:\n> 5 lamps: 10 %'],
  ['a word that begins a block', 'From: the moment I saw it, I knew.\nTo: be honest, no.'],
  ['a rule between two halves', `First half.\n--\n${'A line of the second half.\n'.repeat(12)}`.trim()],
  ['a phone in a sentence', 'Sent from my iPhone\nis what it says below, why?'],
  ['a forwarded message', 'See below.\n\n---------- Forwarded message ---------\nLamps for sale'],
  ['nothing but a quotation', '> only\n> this'],
])('%s stays', (_, text) => {
  expect(strippedText(text)).toBe(text)
})

test('without a text the html is read, and its quotations are taken away, too', () => {
  const html =
    '<p>Yes.</p><div>On 3 Nov 2026 at 09:14, Ben wrote:</div><blockquote><p>Does it?</p><p>Ben</p></blockquote>'
  expect(strippedTextOf({ text: undefined, html })).toBe('Yes.')
  expect(strippedTextOf({ text: 'Text.', html })).toBe('Text.')
  expect(strippedTextOf({ text: undefined, html: undefined })).toBeUndefined()
})
