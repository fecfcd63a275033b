const suffix = ' (Copy)';

/** The name of a copy: the name and ` (Copy)`; the name is shortened when both are longer than `max`. */
export function nameOfCopy(name: string, max: number): string {
  const kept = name.slice(0, max - suffix.length);
  // An unpaired surrogate cannot be stored.
  return (kept.isWellFormed() ? kept : kept.slice(0, -1)) + suffix;
}
