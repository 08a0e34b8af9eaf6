import fc from 'fast-check'

/** What ends a line, a word, a parameter, a part or a field; what becomes one of those when it is decoded once more. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\r',
        '\n',
        '\r\n',
        '\0',
        '\r\n ',
        '\n\t',
        '\u0085',
        '\u2028',
        '\u2029',
        '\v',
        '\f',
        '\x1b',
        '\x7f',
      ),
      // Written as latin1 these are CR, LF and NUL; the last are the same again, and a quotation mark.
      fc.constantFrom('\u010d\u010a', '\u010d', '\u010a', '\u0100', '\uff0d\uff0a', '\u560d\u560a', '\u0122'),
      fc.constantFrom(
        'Bcc: x@example.com',
        'X-Evil: 1',
        ': ',
        '; name=x',
        '; boundary=x',
        '--=_mixed_',
        '--',
        '.',
        '\r\n.\r\n',
      ),
      fc.constantFrom(
        '=?utf-8?q?=0D=0ABcc:_x?=',
        '=?',
        '?=',
        '=0D=0A',
        '%0D%0A',
        '"',
        '\\',
        "'",
        '<',
        '>',
        '(',
        '*',
        ';',
        ',',
      ),
      fc.constantFrom('a', 'word', ' ', '  ', 'é', '中', '😀', '\ud83d', '\udc00', '@example.com', 'x'.repeat(120)),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((pieces) => pieces.join(''))

/** Half of the values have nothing that is refused, so that enough of them reach the wire. */
export const hostileValue = fc.oneof(
  hostile,
  hostile.map((text) => text.replaceAll(/\p{Cc}/gu, '').toWellFormed() || 'x'),
)

export const visibleValue = hostileValue.map((text) => text.replaceAll(/[^!-~]|[<>]/g, '') || 'x')
