import type { FactName, FactReader, Facts } from './facts.rules.ts';

/** How each fact is read. */
export type FactReaders = { readonly [Name in FactName]: () => Facts[Name] | Promise<Facts[Name]> };

/** Reads each fact when it is asked for, and once. */
export function createFactReader(readers: FactReaders): FactReader {
  const known = new Map<FactName, Promise<unknown>>();
  return <Name extends FactName>(name: Name): Promise<Facts[Name]> => {
    const read = (known.get(name) as Promise<Facts[Name]> | undefined) ?? Promise.resolve(readers[name]());
    known.set(name, read);
    return read;
  };
}
