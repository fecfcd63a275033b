import { asNarrow, encodeQuotedPrintable, QuotedPrintableWriter, SOFT_BREAK } from './quoted-printable.ts';

/** A gap of a part, which a mark shows in its text: the index of its value, and its length if all values have it. */
export interface Gap {
  readonly index: number;
  /** Set for tokens: no character of theirs needs encoding, and they fit on a line. */
  readonly length: number | null;
}

/** A part of a message in quoted-printable. */
export interface EncodedPart {
  readonly encoded: string;
  /** Its canonical form in a signature (RFC 6376 3.4.4). */
  canonical(): string;
}

/**
 * A text part in quoted-printable with gaps, encoded once. A token has its place within a line. Any other value
 * begins a line and ends with a soft line break, so its length does not move the text after it.
 */
export class CompiledPart {
  /** `fixed[0]`, the value of `gaps[0]`, `fixed[1]`, … */
  private readonly fixed: readonly string[];
  private readonly gaps: readonly number[];
  /** `fixed` in the canonical form of a signature; the same array when it is. */
  private readonly canonical: readonly string[];

  constructor(text: string, marks: ReadonlyMap<string, Gap>) {
    const writer = new QuotedPrintableWriter();
    const fixed: string[] = [];
    const gaps: number[] = [];
    const pieces = splitAtMarks(text, marks);
    pieces.forEach((piece, i) => {
      if (typeof piece === 'string') {
        writer.write(piece, i === pieces.length - 1);
        return;
      }
      if (piece.length === null) {
        writer.beginLine();
      } else {
        writer.reserve(piece.length);
        writer.skip(piece.length);
      }
      fixed.push(asNarrow(writer.out));
      gaps.push(piece.index);
      writer.out = '';
    });
    fixed.push(asNarrow(writer.out));
    this.fixed = fixed;
    this.gaps = gaps;
    const canonical = fixed.map(relaxBlanks);
    this.canonical = canonical.every((piece, i) => piece === fixed[i]) ? fixed : canonical;
  }

  /** @param values of tokens as they are, of other gaps by `encodeValue` */
  fill(values: readonly string[]): EncodedPart {
    const encoded = join(this.fixed, this.gaps, values);
    return { encoded, canonical: () => this.fillCanonical(values) ?? encoded };
  }

  /** Null when the filled part is its own canonical form. */
  private fillCanonical(values: readonly string[]): string | null {
    const isCanonical = this.gaps.every((gap) => !hasBlankRuns(values[gap] ?? ''));
    if (isCanonical && this.canonical === this.fixed) return null;
    return join(this.canonical, this.gaps, isCanonical ? values : values.map(relaxBlanks));
  }
}

/** A text as a part in quoted-printable. */
export function encodePart(text: string): EncodedPart {
  const encoded = encodeQuotedPrintable(text);
  return { encoded, canonical: () => relaxBlanks(encoded) };
}

function join(fixed: readonly string[], gaps: readonly number[], values: readonly string[]): string {
  let out = fixed[0] ?? '';
  for (let i = 0; i < gaps.length; i++) out += (values[gaps[i] ?? -1] ?? '') + (fixed[i + 1] ?? '');
  return out;
}

/** ASCII characters that need no encoding and fit on a line; a dot may not begin a line, nor a blank begin or end it. */
const PLAIN_VALUE = /^[!-\-/-<>-~](?:[ -<>-~]{0,73}[!-<>-~])?$/;

/** A value of any length, ready to be filled in. */
export function encodeValue(value: string): string {
  if (value === '') return '';
  if (PLAIN_VALUE.test(value)) return value + SOFT_BREAK;
  const writer = new QuotedPrintableWriter();
  writer.write(value, false);
  writer.beginLine();
  return asNarrow(writer.out);
}

function splitAtMarks(text: string, marks: ReadonlyMap<string, Gap>): (string | Gap)[] {
  const pieces: (string | Gap)[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const gap = code >= 0xe000 && code <= 0xf8ff ? marks.get(text.charAt(at)) : undefined;
    if (!gap) continue;
    if (at > from) pieces.push(text.slice(from, at));
    pieces.push(gap);
    from = at + 1;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

const hasBlankRuns = (text: string): boolean => text.includes('  ') || text.includes('\t');

/** RFC 6376 3.4.4, for quoted-printable: no line of it ends in a blank. */
export function relaxBlanks(text: string): string {
  return hasBlankRuns(text) ? text.replace(/[ \t]+/g, ' ') : text;
}
