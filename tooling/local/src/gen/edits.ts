import { GenError } from './names.ts';

/** A change of a file that exists. */
export interface FileEdit {
  /** from the root of the repository */
  path: string;
  edit(source: string): string;
}

/** @throws GenError if the source has no such place, which is then to be found by hand */
export function insertBefore(source: string, mark: RegExp, line: string): string {
  const at = source.search(mark);
  if (at < 0) throw new GenError(`found no ${mark.source} to write before`);
  return source.slice(0, at) + line + source.slice(at);
}
