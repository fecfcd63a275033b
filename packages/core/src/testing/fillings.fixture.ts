/** Texts of about a length, made of what a parser looks for. */
export const fillings: Readonly<Record<string, (length: number) => string>> = {
  blanks: (length) => ' '.repeat(length),
  brackets: (length) => '('.repeat(length),
  quotes: (length) => '"'.repeat(length),
  'lines that begin with a delimiter': (length) => '\r\n--xy'.repeat(length / 6),
  delimiters: (length) => '\r\n--x\r\n'.repeat(length / 7),
  'nested parts': (length) => {
    let text = '';
    for (let depth = 0; text.length < length; depth += 1)
      text += `\r\n--x\r\nContent-Type: multipart/mixed; boundary=x${depth}\r\n\r\n--x${depth}\r\n`;
    return text;
  },
  'angle brackets': (length) => '<'.repeat(length),
  'encoded words': (length) => '=?'.repeat(length / 2),
  commas: (length) => ','.repeat(length),
  colons: (length) => ':'.repeat(length),
  'line ends': (length) => '\r\n'.repeat(length / 2),
  'bare CR': (length) => '\r'.repeat(length),
  NUL: (length) => '\0'.repeat(length),
  folds: (length) => '\r\n '.repeat(length / 3),
  entities: (length) => '&amp;'.repeat(length / 5),
  semicolons: (length) => ';'.repeat(length),
  braces: (length) => '{{'.repeat(length / 2),
  'quoted lines': (length) => '"\n'.repeat(length / 2),
  'blank lines with marks': (length) => '\n> '.repeat(length / 3),
  'soft line ends': (length) => ' =\r\n'.repeat(length / 4),
};
