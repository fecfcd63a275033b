import { Breath, clockOf, zonesByName } from '../../base/lib/index.ts';
import type { LocalWaves } from '../../mail/ledger/index.ts';
import { clockTimeOf, type LocalTime } from './local-time.rules.ts';

const dayMs = 86_400_000;

/** The instant at which the clocks of a zone show the time, by the name of the zone. */
async function momentsOf(at: string): Promise<Map<string, number>> {
  const local = clockTimeOf(at);
  if (local === null) throw new Error('a local time is no time');
  const moments = new Map<string, number>();
  // Each zone needs a formatter of its own, which takes a while to make.
  const breath = new Breath();
  for (const zone of new Set(zonesByName().values())) {
    moments.set(zone, clockOf(zone).firstAt(local));
    await breath.take();
  }
  return moments;
}

/** When clocks show a local time for the first and for the last time in the world, in milliseconds since 1970. */
export async function spanOfLocalTime({
  at,
}: Pick<LocalTime, 'at'>): Promise<{ first: number; last: number }> {
  const moments = [...(await momentsOf(at)).values()];
  return { first: Math.min(...moments), last: Math.max(...moments) };
}

/**
 * The waves of a campaign with a local time: one for each moment at which some of the zones are due.
 *
 * @param startedAt what is over at this time is due then, or on the first day after on which it is not
 * @param timeZone of contacts that name none
 */
export async function wavesOfLocalTime(
  localTime: LocalTime,
  startedAt: Date,
  timeZone: string,
): Promise<LocalWaves> {
  const start = startedAt.getTime();
  const local = clockTimeOf(localTime.at) ?? 0;
  const dueIn = (zone: string, moment: number): number => {
    if (moment >= start) return moment;
    if (localTime.whenPassed === 'NOW') return start;
    let due = moment;
    for (let days = 1; due < start; days += 1) due = clockOf(zone).firstAt(local + days * dayMs);
    return due;
  };
  const moments = await momentsOf(localTime.at);
  const due = new Map([...moments].map(([zone, moment]) => [zone, dueIn(zone, moment)]));
  const otherwise = dueIn(timeZone, clockOf(timeZone).firstAt(local));
  const ordered = [...new Set([...due.values(), otherwise])].sort((one, other) => one - other);
  const numbers = new Map(ordered.map((moment, index) => [moment, index + 1]));
  const numberOf = (moment = otherwise): number => numbers.get(moment) ?? 1;
  return {
    dueAt: ordered.map((moment) => new Date(moment)),
    byZone: Object.fromEntries([...zonesByName()].map(([name, zone]) => [name, numberOf(due.get(zone))])),
    otherwise: numberOf(),
  };
}
