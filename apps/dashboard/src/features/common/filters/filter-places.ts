import { createContext, useContext } from 'react';

interface Places {
  /** The path of each condition and group in the API's messages, by key. */
  paths: ReadonlyMap<string, string>;
  /** The API's error messages by field. */
  failures: Readonly<Record<string, string>>;
}

export const FilterPlaces = createContext<Places>({ paths: new Map(), failures: {} });

/** The messages about one condition or group: about itself, or the given parts of it. */
export function useFailuresAt(key: string, parts: readonly string[] = []): string[] {
  const { paths, failures } = useContext(FilterPlaces);
  const path = paths.get(key);
  const fields = parts.length === 0 ? [path ?? ''] : parts.map((part) => `${path}.${part}`);
  return fields.flatMap((field) => failures[field] ?? []);
}
