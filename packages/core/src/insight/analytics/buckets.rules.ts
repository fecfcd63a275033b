import { quarterMs } from '../../base/figures/parts.rules.ts';
import { offsetsOf } from '../../base/lib/time-zones.rules.ts';
import type { Granularity } from './analytics.schema.ts';
import type { Period } from './period.rules.ts';

const dayMs = 86_400_000;

/** Consecutive quarters of an hour that belong to one bucket. */
export interface Run {
  /** the hour or day in the zone: `2026-03-01T09:00`, `2026-03-01` */
  bucket: string;
  start: Date;
}

/** The quarters of an hour that a period touches: up to one quarter longer at both ends. */
export const quartersOf = ({ from, to }: Period): Period => {
  const start = Math.floor(from.getTime() / quarterMs) * quarterMs;
  const end = Math.ceil(to.getTime() / quarterMs) * quarterMs;
  return { from: new Date(start), to: new Date(Math.max(end, start + quarterMs)) };
};

/**
 * The hours or days of a period in a zone, oldest first. When clocks change, the hour that is repeated is one bucket, and the hour that is
 * left out has no bucket.
 */
export function runsOf(period: Period, timeZone: string, granularity: Granularity): Run[] {
  const { from, to } = quartersOf(period);
  const offsetAt = rememberedOffsets(timeZone);
  const runs: Run[] = [];
  for (let at = from.getTime(); at < to.getTime(); at += quarterMs) {
    const local = new Date(at + offsetAt(at)).toISOString();
    const bucket = granularity === 'day' ? local.slice(0, 10) : `${local.slice(0, 13)}:00`;
    if (runs.at(-1)?.bucket !== bucket) runs.push({ bucket, start: new Date(at) });
  }
  return runs;
}

/** Offsets cost microseconds each; on a day without a change of the clocks, its first one is used. */
function rememberedOffsets(timeZone: string): (at: number) => number {
  const offsetAt = offsetsOf(timeZone);
  const ofDays = new Map<number, number>();
  const atStartOf = (day: number): number => {
    const known = ofDays.get(day) ?? offsetAt(day * dayMs);
    ofDays.set(day, known);
    return known;
  };
  return (at) => {
    const day = Math.floor(at / dayMs);
    const offset = atStartOf(day);
    return offset === atStartOf(day + 1) ? offset : offsetAt(at);
  };
}
