const DOT = 0x2e;
const LF_DOT = Buffer.from('\n.');
const CR_DOT = Buffer.from('\r.');
const DOUBLED = Buffer.from('.');
const END = Buffer.from('.\r\n');
const END_OF_OPEN_LINE = Buffer.from('\r\n.\r\n');

/**
 * Doubles the dot at the start of each line (RFC 5321, 4.5.2). A dot after a bare CR or LF is doubled as well, so that a
 * receiver which takes those for line ends cannot find the end of the message inside it. Returns `part` itself, uncopied,
 * when there is nothing to double.
 * @param part a piece of the message
 * @param previous the byte before the piece; undefined at the start of the message
 */
export function stuffDots(part: Buffer, previous: number | undefined): Buffer {
  const dots = dotsAfter(LF_DOT, part).concat(dotsAfter(CR_DOT, part));
  const startsLine = previous === undefined || previous === 0x0a || previous === 0x0d;
  if (startsLine && part[0] === DOT) dots.push(0);
  if (dots.length === 0) return part;

  const pieces: Buffer[] = [];
  let from = 0;
  for (const dot of dots.sort((a, b) => a - b)) {
    pieces.push(part.subarray(from, dot), DOUBLED);
    from = dot;
  }
  pieces.push(part.subarray(from));
  return Buffer.concat(pieces);
}

/** What ends the message on the wire: a line with one dot, after closing a line that the message left open. */
export function terminatorOf(message: Buffer): Buffer {
  const closed = message.length === 0 || (message.at(-1) === 0x0a && message.at(-2) === 0x0d);
  return closed ? END : END_OF_OPEN_LINE;
}

function dotsAfter(lineEnd: Buffer, part: Buffer): number[] {
  const found: number[] = [];
  for (let at = part.indexOf(lineEnd); at !== -1; at = part.indexOf(lineEnd, at + 2)) found.push(at + 1);
  return found;
}
