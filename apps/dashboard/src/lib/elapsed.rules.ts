const units = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1_000 },
] as const;

/** A duration in its two largest units: `3 d 4 h`, `2 min`, `1.4 s`, `35 ms`. */
export function elapsedInWords(from: string, to: string): string {
  const ms = Math.max(0, Date.parse(to) - Date.parse(from));
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 10_000) return `${Math.floor(ms / 100) / 10} s`;
  const largest = units.findIndex((unit) => ms >= unit.ms);
  const parts: string[] = [];
  let rest = ms;
  for (const { name, ms: size } of units.slice(largest, largest + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return parts.join(' ');
}
