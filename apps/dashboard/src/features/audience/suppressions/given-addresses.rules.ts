import { addSuppressionsLimit } from '@postrider/core/audience/contacts/contract';
import { addressSought, normalizeAddress } from '@postrider/core/base/kernel/contract';
import { addressesIn } from '../segments/addresses.rules.ts';

/** The first cell of a CSV line, quoted or not; lines of several cells are separated by commas, semicolons or tabs. */
const firstCell = /^\s*(?:"((?:[^"]|"")*)"|([^,;\t]*))/;

/** The first column of a CSV file. A first line that has no address there is the header. */
export function addressesInFile(text: string): string[] {
  const cells = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map(cellOf)
    .filter((cell) => cell !== '');
  const [first = ''] = cells;
  return normalizeAddress(first) !== null ? cells : cells.slice(1);
}

function cellOf(line: string): string {
  const [, quoted, plain = ''] = firstCell.exec(line) ?? [];
  return (quoted?.replaceAll('""', '"') ?? plain).trim();
}

/** Typed or pasted addresses and those of a file, each once in any case, in parts that one request can add. */
export function partsOf(pasted: string, file: string): string[][] {
  const given = [...addressesIn(pasted), ...addressesInFile(file)];
  const each = [...new Map(given.map((entry) => [addressSought(entry), entry])).values()];
  return Array.from({ length: Math.ceil(each.length / addSuppressionsLimit) }, (_, index) =>
    each.slice(index * addSuppressionsLimit, (index + 1) * addSuppressionsLimit),
  );
}
