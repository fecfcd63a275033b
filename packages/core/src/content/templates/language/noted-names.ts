import type { Path } from './paths.ts';

/** Parsing runs without a pause, so what is noted belongs to the one template that is parsed at the moment. */
let noted: Path[] | null = null;

/** Called wherever a name of a variable is parsed. */
export function noteName(path: Path): void {
  noted?.push(path);
}

/** The names that are parsed during `work`, also those of a work that fails. */
export function namesDuring(work: () => void): Path[] {
  const before = noted;
  const names: Path[] = [];
  noted = names;
  try {
    work();
    return names;
  } finally {
    noted = before;
  }
}
