/** How many days, weeks and months keep a backup each. */
export interface Keep {
  d: number;
  w: number;
  m: number;
}

/** A backup, as far as its age decides. */
export interface KnownBackup {
  name: string;
  /** of its data */
  at: Date;
  isVerified: boolean;
}

/** `7d,4w,6m`; null for any other text. */
export function readKeep(text: string): Keep | null {
  const keep: Keep = { d: 0, w: 0, m: 0 };
  for (const part of text.split(',')) {
    const [, count, unit] = /^(\d{1,4})([dwm])$/.exec(part.trim()) ?? [];
    if (count === undefined || unit === undefined) return null;
    keep[unit as keyof Keep] = Number(count);
  }
  return keep.d + keep.w + keep.m > 0 ? keep : null;
}

const dayMs = 86_400_000;
const day = (at: Date): number => Math.floor(at.getTime() / dayMs);

/** Periods of UTC; weeks begin on Monday. */
const periodOf: Readonly<Record<keyof Keep, (at: Date) => number>> = {
  d: day,
  w: (at) => Math.floor((day(at) + 3) / 7),
  m: (at) => at.getUTCFullYear() * 12 + at.getUTCMonth(),
};

/**
 * The names of those that are kept: the newest of each of the last days, weeks and months that have one, the newest of all, and the newest that was
 * verified.
 */
export function keptOf(backups: readonly KnownBackup[], keep: Keep): Set<string> {
  const newestFirst = backups.toSorted((one, other) => other.at.getTime() - one.at.getTime());
  const kept = new Set<string>();
  for (const backup of [newestFirst[0], newestFirst.find(({ isVerified }) => isVerified)])
    if (backup) kept.add(backup.name);
  for (const unit of ['d', 'w', 'm'] as const) {
    const periods = new Set<number>();
    for (const { name, at } of newestFirst) {
      const period = periodOf[unit](at);
      if (periods.has(period)) continue;
      if (periods.size >= keep[unit]) break;
      periods.add(period);
      kept.add(name);
    }
  }
  return kept;
}
