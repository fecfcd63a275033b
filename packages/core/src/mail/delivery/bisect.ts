import { isRefused } from './database-watch.ts';

/**
 * Runs a statement for a group. When PostgreSQL refuses its values, the group is halved until the culprit is alone, so that it
 * fails no other.
 *
 * @param halves the errors for which it is halved
 */
export async function bisect<T, R>(
  group: readonly T[],
  run: (part: readonly T[]) => Promise<R>,
  onRefused: (culprit: T, error: unknown) => Promise<R>,
  halves: (error: unknown) => boolean = isRefused,
): Promise<R[]> {
  try {
    return [await run(group)];
  } catch (error) {
    if (!halves(error)) throw error;
    const [only] = group;
    if (only === undefined) return [];
    if (group.length === 1) return [await onRefused(only, error)];
    const half = Math.ceil(group.length / 2);
    return [
      ...(await bisect(group.slice(0, half), run, onRefused, halves)),
      ...(await bisect(group.slice(half), run, onRefused, halves)),
    ];
  }
}
