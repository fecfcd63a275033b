import { createHash } from 'node:crypto';

const [SPACE, TAB, CR, LF] = [0x20, 0x09, 0x0d, 0x0a];
const isBlank = (byte: number | undefined): boolean => byte === SPACE || byte === TAB;

/**
 * The SHA-256 hash in base64 of the canonical form of a body whose lines end with CRLF (RFC 6376 3.4.4, relaxed): blanks at the end of a line
 * and empty lines at the end are ignored, other runs of blanks count as one space.
 */
export function relaxedBodyHash(...pieces: readonly Buffer[]): string {
  const body = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
  const digest = createHash('sha256');
  const end = contentEnd(body);
  let from = 0;
  let space = body.indexOf(SPACE);
  let tab = body.indexOf(TAB);
  for (;;) {
    const at = space === -1 || (tab !== -1 && tab < space) ? tab : space;
    if (at === -1 || at >= end) break;
    let next = at + 1;
    while (isBlank(body[next])) next += 1;
    const endsLine = body[next] === CR;
    if (endsLine || next > at + 1 || body[at] === TAB) {
      digest.update(body.subarray(from, at));
      if (!endsLine) digest.update(' ');
      from = next;
    }
    if (space !== -1 && space < next) space = body.indexOf(SPACE, next);
    if (tab !== -1 && tab < next) tab = body.indexOf(TAB, next);
  }
  if (end > 0) digest.update(body.subarray(from, end)).update('\r\n');
  return digest.digest('base64');
}

/** Where the last line with content ends. */
function contentEnd(body: Buffer): number {
  let end = body.length;
  while (end > 0 && (isBlank(body[end - 1]) || body[end - 1] === CR || body[end - 1] === LF)) end -= 1;
  return end;
}
