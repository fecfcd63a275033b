const suffix = ' (Copy)';

/** What a copy is called: the name and ` (Copy)`, of which the name gives way when both are longer than `max`. */
export function nameOfCopy(name: string, max: number): string {
  const kept = name.slice(0, max - suffix.length);
  // Half of a pair of surrogates is no text that can be stored.
  return (kept.isWellFormed() ? kept : kept.slice(0, -1)) + suffix;
}
