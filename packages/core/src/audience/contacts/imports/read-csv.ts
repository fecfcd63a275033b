import {
  type CsvEncoding,
  decodeCsv,
  encodingOf,
  likelyEncoding,
  UndecodableText,
} from '../../../base/lib/csv-encoding.rules.ts';
import {
  CsvReader,
  type CsvRow,
  type CsvSeparator,
  csvDialectOf,
  mostMisquoted,
  NoCsv,
} from '../../../base/lib/csv-reader.rules.ts';
import { Breath } from '../../../base/lib/index.ts';

/** A file that cannot be parsed; the message is for the person who uploaded it. */
export class UnreadableCsv extends Error {}

export interface CsvFile {
  encoding: Exclude<CsvEncoding, 'auto'>;
  separator: CsvSeparator;
  /** the header first, without empty rows, some at a time; as often as needed @throws UnreadableCsv */
  rows(breath?: Breath): AsyncGenerator<CsvRow[]>;
}

/**
 * A CSV file, decoded. Decoding it and reading it leave the event loop to others every few milliseconds.
 *
 * @throws UnreadableCsv for bytes that are not text in the encoding
 */
export async function openCsv(
  bytes: Uint8Array,
  encoding: CsvEncoding = 'auto',
  breath = new Breath(),
): Promise<CsvFile> {
  const pieces: string[] = [];
  try {
    for (const piece of decodeCsv(bytes, encoding)) {
      pieces.push(piece);
      await breath.take();
    }
  } catch (error) {
    if (!(error instanceof UndecodableText)) throw error;
    throw new UnreadableCsv(undecodable(bytes, encoding));
  }
  const { skip, ...dialect } = csvDialectOf(pieces);
  await breath.take();
  const [first = '', ...others] = pieces;
  const body = [first.slice(skip), ...others];
  return {
    encoding: encodingOf(bytes, encoding),
    separator: dialect.separator,
    rows: (each) => rowsOf(body, new CsvReader(dialect), each),
  };
}

function undecodable(bytes: Uint8Array, encoding: CsvEncoding): string {
  if (encoding !== 'auto' && encoding !== 'utf-8') return `The file is not ${encoding} text`;
  const likely = likelyEncoding(bytes) ?? 'windows-1252';
  return `The file is not UTF-8. In Excel, save it as "CSV UTF-8", or choose its encoding (probably ${likely})`;
}

async function* rowsOf(
  pieces: readonly string[],
  reader: CsvReader,
  breath = new Breath(),
): AsyncGenerator<CsvRow[]> {
  try {
    for (const rows of readPieces(pieces, reader)) {
      yield rows;
      await breath.take();
    }
  } catch (error) {
    if (!(error instanceof NoCsv)) throw error;
    throw new UnreadableCsv(
      `The file cannot be read as CSV: more than ${mostMisquoted.toLocaleString('en')} rows have a quote that is not closed or stands in the wrong place`,
    );
  }
}

function* readPieces(pieces: readonly string[], reader: CsvReader): Generator<CsvRow[]> {
  for (const piece of pieces) yield reader.feed(piece);
  yield reader.end();
}
