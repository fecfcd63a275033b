import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { separatorOf } from './csv.rules.ts';

/** A file that cannot be parsed; the message is for the person who uploaded it. */
export class UnreadableCsv extends Error {}

/** Small chunks, so that the parser only holds the rows of one chunk. */
const pieceBytes = 64 * 1024;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The rows of a CSV file, the header first: UTF-8 with or without BOM, LF or CRLF, quoted cells with doubled quotes and newlines
 * (RFC 4180), the separator detected from the header. Empty lines are skipped.
 *
 * @throws UnreadableCsv for a file that is empty, not UTF-8, or whose last quote is never closed
 */
export async function* readCsv(bytes: Buffer): AsyncGenerator<string[]> {
  const body = bytes.subarray(0, 3).equals(byteOrderMark) ? bytes.subarray(3) : bytes;
  if (!isUtf8(body)) throw new UnreadableCsv('The file is not UTF-8 text');
  if (body.length === 0) throw new UnreadableCsv('The file is empty');
  const parser = parse({
    delimiter: separatorOf(body),
    record_delimiter: ['\r\n', '\n'],
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
  });
  const source = Readable.from(piecesOf(body));
  let rows = 0;
  try {
    for await (const cells of source.pipe(parser)) {
      rows += 1;
      yield cells as string[];
    }
  } catch (error) {
    if (!isParserError(error)) throw error;
    throw new UnreadableCsv(
      `The file cannot be read as CSV after row ${rows}: a quote is missing or misplaced`,
    );
  } finally {
    source.destroy();
    parser.destroy();
  }
  if (rows === 0) throw new UnreadableCsv('The file is empty');
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

const isParserError = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  String((error as { code?: unknown }).code).startsWith('CSV_');
