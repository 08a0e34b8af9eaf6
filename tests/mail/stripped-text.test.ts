import { expect, test } from 'vitest'
import { strippedText, strippedTextOf } from '../../src/mail/parse/stripped-text.ts'

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
  ['Swedish', 'Den tis 3 nov. 2026 kl 09:14 skrev Ben Example <ben@example.net>:'],
  ['Norwegian', 'Den 03.11.2026 09:14, skrev Ben Example:'],
  ['Finnish', 'ti 3. marrask. 2026 klo 9.14 Ben Example (ben@example.net) kirjoitti:'],
  ['Polish', 'wt., 3 lis 2026 o 09:14 Ben Example <ben@example.net> napisał(a):'],
  ['Czech', 'út 3. 11. 2026 v 9:14 odesílatel Ben Example <ben@example.net> napsal:'],
  ['Russian', 'вт, 3 нояб. 2026 г. в 09:14, Ben Example <ben@example.net>:'],
  ['Russian, folded', 'вт, 3 нояб. 2026 г. в 09:14, Benjamin Example\n<ben@example.net>:'],
  ['Turkish', 'Ben Example <ben@example.net>, 3 Kas 2026 Sal, 09:14 tarihinde şunu yazdı:'],
  ['Japanese', '2026年11月3日(火) 9:14 Ben Example <ben@example.net>:'],
  ['Chinese', '在 2026年11月3日，09:14，Ben Example <ben@example.net> 写道：'],
  ['Korean', '2026년 11월 3일 (화) 오전 9:14, Ben Example <ben@example.net>님이 작성:'],
  ['Hungarian', 'Ben Example <ben@example.net> ezt írta (időpont: 2026. nov. 3., K, 9:14):'],
  ['Greek', 'Στις Τρί 3 Νοε 2026 στις 9:14 π.μ., ο χρήστης Ben <ben@example.net> έγραψε:'],
  ['Vietnamese', 'Vào Th 3, 3 thg 11, 2026 vào lúc 09:14 Ben <ben@example.net> đã viết:'],
])('a quotation introduced in %s is taken away, marked or not', (_, sentence) => {
  expect(strippedText(`${answer}\n\n${sentence}\n\n> Does it work?\n> Ben\n`)).toBe(answer)
  if (/\d[:.]\d\d\b/.test(sentence)) expect(strippedText(`${answer}\n\n${sentence}\n\nDoes it work?\n`)).toBe(answer)
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
  ['German, the time first', 'Gesendet: Dienstag, 03. November 2026 um 09:14 Uhr\nVon: Ben\nAn: Ann\nBetreff: Lampen'],
  ['Swedish', 'Från: Ben\nSkickat: den 3 november 2026 09:14\nTill: Ann\nÄmne: Lampor'],
  ['Danish', 'Fra: Ben\nSendt: 3. november 2026 09:14\nTil: Ann\nEmne: Lamper'],
  ['Polish', 'Od: Ben\nWysłano: wtorek, 3 listopada 2026 09:14\nDo: Ann\nTemat: Lampy'],
  ['Russian', 'От: Ben\nОтправлено: 3 ноября 2026 г. 9:14\nКому: Ann\nТема: Лампы'],
  ['Chinese', '发件人: Ben\n发送时间: 2026年11月3日 9:14\n收件人: Ann\n主题: Lamps'],
  ['Japanese', '差出人: Ben\n送信日時: 2026年11月3日 9:14\n宛先: Ann\n件名: Lamps'],
  ['the manner of Zoho', '---- On Tue, 03 Nov 2026 09:14:00 +0100 Ben <ben@example.net> wrote ----'],
])('a message below in the manner of Outlook, in %s, is taken away', (_, block) => {
  expect(strippedText(`${answer}\n\n${block}\n\nDoes it work?\n`)).toBe(answer)
})

test('a sentence with a name and a verb introduces what is marked, and nothing else', () => {
  expect(strippedText(`${answer}\n\nBen Example wrote:\n> Does it work?\n> Ben\n`)).toBe(answer)
  const unmarked = `${answer}\n\nBen Example wrote:\n\nDoes it work?`
  expect(strippedText(unmarked)).toBe(unmarked)
})

test('what somebody wrote right above the sentence is not taken for a part of it', () => {
  const written = 'See you on 3 Nov 2026'
  const quotation = 'On Mon, 2 Nov 2026 at 09:14, Ben <ben@example.net> wrote:\n> When?\n> Ben'
  expect(strippedText(`${written}\n${quotation}`)).toBe(written)
  expect(strippedText(`${written}\nвт, 2 нояб. 2026 г. в 09:14, Ben <ben@example.net>:\n> When?`)).toBe(written)
})

test('a forwarded message stays, fields and all', () => {
  const text = 'See below.\n\nBegin forwarded message:\n\nFrom: Ben\nDate: 3 Nov 2026 9:14\nTo: Ann\n\nLamps for sale'
  expect(strippedText(text)).toBe(text)
})

test.each([
  ['a quotation of one line', '<p>Yes.</p><blockquote type="cite">Does it work?</blockquote>'],
  [
    'the fields of Outlook below a rule',
    '<p>Yes.</p><hr><div><b>From:</b> Ben<br><b>Sent:</b> Tuesday, November 3, 2026 9:14 AM<br><b>To:</b> Ann<br><b>Subject:</b> x</div><div>Does it work?</div>',
  ],
])('in html %s is taken away', (_, html) => {
  expect(strippedTextOf({ text: undefined, html })).toBe('Yes.')
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
  ['an appointment', 'Hi,\nTermin am 3.11.2026 um 14:00, Anmeldung bei ann@example.com:\n- Punkt 1\n- Punkt 2'],
])('%s stays', (_, text) => {
  expect(strippedText(text)).toBe(text)
})

test('a line of html that begins with an arrow stays, beside a quotation as well', () => {
  const own = '<p>Prices:</p><p>&gt; 50 €: free</p>'
  const kept = 'Prices:\n\n> 50 €: free'
  expect(strippedTextOf({ text: undefined, html: own })).toBe(kept)
  expect(strippedTextOf({ text: undefined, html: `${own}<blockquote>How much?</blockquote>` })).toBe(kept)
  const sentence = 'On 3 Nov 2026 at 09:14, Ben wrote:'
  const quotation = '<blockquote><p>How much?</p><p>Ben</p></blockquote>'
  expect(strippedTextOf({ text: undefined, html: `${own}<div>${sentence}</div>${quotation}` })).toBe(kept)
  expect(strippedTextOf({ text: undefined, html: `<p>Yes.</p>${sentence}<br>&gt; Does it?` })).toBe('Yes.')
  expect(strippedTextOf({ text: undefined, html: '<p>Yes.</p>&gt; Does it work?<br>&gt; Ben' })).toBe('Yes.')
  expect(strippedTextOf({ text: undefined, html: '<blockquote>only this</blockquote>' })).toBe('> only this')
})

test('without a text the html is read, and its quotations are taken away, too', () => {
  const html =
    '<p>Yes.</p><div>On 3 Nov 2026 at 09:14, Ben wrote:</div><blockquote><p>Does it?</p><p>Ben</p></blockquote>'
  expect(strippedTextOf({ text: undefined, html })).toBe('Yes.')
  expect(strippedTextOf({ text: 'Text.', html })).toBe('Text.')
  expect(strippedTextOf({ text: undefined, html: undefined })).toBeUndefined()
})
