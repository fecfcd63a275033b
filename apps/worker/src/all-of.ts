/**
 * The activities of several areas as those of one queue.
 *
 * @throws Error for a name that two of them have: the workflows of one would call the other
 */
export function allOf(...areas: readonly object[]): object {
  const all: Record<string, unknown> = {};
  for (const [name, activity] of areas.flatMap((area) => Object.entries(area))) {
    if (Object.hasOwn(all, name)) throw new Error(`two activities of a queue have the name ${name}`);
    all[name] = activity;
  }
  return all;
}
