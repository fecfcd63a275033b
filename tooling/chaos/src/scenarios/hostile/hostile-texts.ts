const bytes = 200_000;
const fill = (piece: string): string => piece.repeat(Math.floor(bytes / piece.length));

/** Header and body of messages of 200 KB that are slow for a careless reader. */
export const hostileMessages: readonly ((from: string) => string)[] = [
  (from) =>
    `From: ${from}\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\n${fill('hello\r\n--xyz\r\n')}--x--`,
  (from) => `From: ${from}\r\nX-Blanks: a${fill(' ')}b\r\n\r\nHello`,
  (from) => `From: ${from}\r\nContent-Type: text/plain; a="${fill('\\"')}\r\n\r\nHello`,
  (from) => `From: ${from}\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\na${fill(' ')}b`,
  (from) => `From: ${from}\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n${fill('--x\r\n\r\n')}`,
  (from) => `From: ${from}\r\nSubject: ${fill('=?utf-8?q?a?= ')}\r\n\r\nHello`,
  (from) => `From: ${from}\r\nTo: ${fill('<a@b.example>,')}\r\n\r\nHello`,
  (from) => `From: ${from}\r\nAction: failed ${fill('(')}\r\n\r\n${fill('\r\n> ')}`,
];
