import { isUtf8 } from 'node:buffer';
import { Breath } from '../../../base/lib/index.ts';
import { separatorOf } from './csv.rules.ts';
import { CsvReader, mostCells, TooManyCells } from './csv-reader.rules.ts';

/** A file that cannot be parsed; the message is for the person who uploaded it. */
export class UnreadableCsv extends Error {}

const pieceBytes = 64 * 1024;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The rows of a CSV file, the header first: UTF-8 with or without BOM, LF or CRLF, quoted cells with doubled quotes and newlines
 * (RFC 4180), the separator detected from the header. Empty lines are skipped. Reading and what is done with each row leave the event loop to
 * others every few milliseconds.
 *
 * @throws UnreadableCsv for a file that is empty, not UTF-8, or whose last quote is never closed
 */
export async function* readCsv(bytes: Buffer, breath = new Breath()): AsyncGenerator<string[]> {
  const body = bytes.subarray(0, 3).equals(byteOrderMark) ? bytes.subarray(3) : bytes;
  if (!isUtf8(body)) throw new UnreadableCsv('The file is not UTF-8 text');
  if (body.length === 0) throw new UnreadableCsv('The file is empty');
  const reader = new CsvReader(separatorOf(body));
  let rows = 0;
  try {
    for (const complete of rowsOf(body, reader)) {
      for (const cells of complete) {
        rows += 1;
        yield cells;
        await breath.take();
      }
      await breath.take();
    }
  } catch (error) {
    if (!(error instanceof TooManyCells)) throw error;
    const place = rows === 0 ? 'The header' : `The row after row ${rows}`;
    throw new UnreadableCsv(`${place} has more than ${mostCells.toLocaleString('en')} cells`);
  }
  if (reader.isOpen)
    throw new UnreadableCsv(
      `The file cannot be read as CSV after row ${rows}: a quote is missing or misplaced`,
    );
  if (rows === 0) throw new UnreadableCsv('The file is empty');
}

function* rowsOf(bytes: Buffer, reader: CsvReader): Generator<string[][]> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for (let at = 0; at < bytes.length; at += pieceBytes)
    yield reader.feed(decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: true }));
  yield reader.end();
}
