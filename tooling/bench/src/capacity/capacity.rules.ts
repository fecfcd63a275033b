/** The kinds of work whose cost is measured, in the order in which they are shown. */
export const units = [
  'accept',
  'delivery',
  'signed delivery',
  'open',
  'click',
  'event',
  'execution',
  'webhook attempt',
  'import row',
  'freeze',
  'campaign delivery',
] as const;

export type Unit = (typeof units)[number];

/** What one unit takes of the processors, in µs, and writes to the WAL, in bytes. */
export interface Cost {
  /** units a second at which this was measured */
  perSecond: number;
  nodeMicros: number;
  postgresMicros: number;
  temporalMicros: number;
  walBytes: number;
}

export interface UnitCost {
  /** as fast as the machine goes */
  most: Cost;
  /** at an even pace, at which requests share few statements; null where units only come many at once */
  steady: Cost | null;
  /** what stays in tables and indexes, in bytes */
  bytes: number;
}

export type Costs = Readonly<Record<Unit, UnitCost>>;

/** Time of the processors, in seconds: of api, worker and delivery; of all processes of PostgreSQL; of the Temporal server. */
export interface Processor {
  node: number;
  postgres: number;
  temporal: number;
}

export interface Taking extends Processor {
  walBytes: number;
}

/** What a stack without work takes: each second, and besides at the beginning of each minute, when its schedules run. */
export interface Idle {
  second: Taking;
  minute: Taking;
}

/** What a stack took in so many seconds, with what it takes without work. */
export interface Measured extends Taking {
  seconds: number;
  /** that began in them */
  minutes: number;
  /** by which tables and indexes grew */
  bytes: number;
}

/** So much of a unit, a second. */
export interface Flow {
  unit: Unit;
  perSecond: number;
}

/** The share of a day's work that comes in its busiest hour. Chosen, as the two below are. */
export const peakShare = 0.1;
/** The share of its processors that a machine is planned to use at the peak: the rest is for bursts, vacuum, and what is read. */
export const planned = 0.6;
/** Room on the disk besides what is at rest: space between rows, WAL, and what vacuum has not freed yet. */
export const diskReserve = 1.3;

/** Units a second in the busiest hour of a day. */
export const peakRate = (perDay: number, share = peakShare): number => (perDay * share) / 3_600;

/**
 * What a unit takes beside so much work. Between the two measured rates it is taken to change with the logarithm of the rate: the more
 * requests there are at a time, the more of them share a statement and a commit, and the fewer find a process asleep. Outside of the two it
 * is taken to stay the same. Neither is measured; `--predict` shows how well it fits.
 *
 * @param perSecond all requests of the load, whatever their kind
 */
export function costAt({ steady, most }: UnitCost, perSecond: number): Cost {
  if (steady === null || steady.perSecond >= most.perSecond) return { ...most, perSecond };
  const bounded = Math.min(Math.max(perSecond, steady.perSecond), most.perSecond);
  const part = Math.log(bounded / steady.perSecond) / Math.log(most.perSecond / steady.perSecond);
  const between = (key: keyof Cost): number => steady[key] + (most[key] - steady[key]) * part;
  return {
    perSecond,
    nodeMicros: between('nodeMicros'),
    postgresMicros: between('postgresMicros'),
    temporalMicros: between('temporalMicros'),
    walBytes: between('walBytes'),
  };
}

export const processorMicros = (cost: Omit<Cost, 'perSecond' | 'walBytes'>): number =>
  cost.nodeMicros + cost.postgresMicros + cost.temporalMicros;

/** Requests a second of a load. What comes many at once, such as rows of an import, keeps no process awake for others. */
const requestsOf = (costs: Costs, flows: readonly Flow[]): number =>
  sum(flows, ({ unit, perSecond }) => (costs[unit].steady === null ? 0 : perSecond));

/** Cores for these flows at once: `Σ rate × µs / 10⁶ / 0.6`. */
export function coresFor(costs: Costs, flows: readonly Flow[]): number {
  const all = requestsOf(costs, flows);
  return (
    sum(flows, ({ unit, perSecond }) => perSecond * processorMicros(costAt(costs[unit], all))) /
    1_000_000 /
    planned
  );
}

/** Bytes of WAL a second for these flows at once. */
export function walFor(costs: Costs, flows: readonly Flow[]): number {
  const all = requestsOf(costs, flows);
  return sum(flows, ({ unit, perSecond }) => perSecond * costAt(costs[unit], all).walBytes);
}

export interface Kept {
  unit: Unit;
  perDay: number;
  /** for how long it is kept */
  days: number;
}

/** Bytes of disk for what is kept: `Σ per day × bytes × days × 1.3`. */
export const diskFor = (costs: Costs, kept: readonly Kept[]): number =>
  sum(kept, ({ unit, perDay, days }) => perDay * costs[unit].bytes * days) * diskReserve;

/** Connections to the relay, which hands over one message at a time on each: `rate × seconds per message`. */
export const relayConnections = (perSecond: number, secondsPerMessage: number): number =>
  Math.ceil(perSecond * secondsPerMessage);

export interface MachineClass {
  name: 'S' | 'M' | 'L';
  cores: number;
  memoryGiB: number;
  /** the largest database that is backed up, vacuumed and restored in reasonable time beside so many cores */
  diskBytes: number;
  /** whether PostgreSQL has a machine of this size of its own */
  apart: boolean;
}

export const machineClasses: readonly MachineClass[] = [
  { name: 'S', cores: 1, memoryGiB: 2, diskBytes: 0.1e12, apart: false },
  { name: 'M', cores: 4, memoryGiB: 8, diskBytes: 4e12, apart: false },
  { name: 'L', cores: 16, memoryGiB: 64, diskBytes: 10e12, apart: true },
];

export interface Shape {
  name: MachineClass['name'];
  /** installations with a database each, when one of the largest class is too small */
  count: number;
  /** what needs most of it */
  decidedBy: 'processors' | 'disk';
}

/** The smallest class for so many cores and bytes. */
export function shapeFor(cores: number, diskBytes: number): Shape {
  const found = machineClasses.findIndex((one) => cores <= one.cores && diskBytes <= one.diskBytes);
  const isEnough = found >= 0;
  const own = machineClasses.at(found) as MachineClass;
  // What rules out the class below, or one installation of the largest, decides.
  const refused = isEnough ? (machineClasses[Math.max(0, found - 1)] ?? own) : own;
  const decidedBy = diskBytes / refused.diskBytes > cores / refused.cores ? 'disk' : 'processors';
  const count = isEnough ? 1 : Math.ceil(Math.max(cores / own.cores, diskBytes / own.diskBytes));
  return { name: own.name, count, decidedBy };
}

export const processorSeconds = ({ node, postgres, temporal }: Processor): number =>
  node + postgres + temporal;

/**
 * @param between a time without the beginning of a minute
 * @param across a time with it
 */
export function idleOf(between: Measured, across: Measured): Idle {
  const of = (value: (key: keyof Taking) => number): Taking => ({
    node: value('node'),
    postgres: value('postgres'),
    temporal: value('temporal'),
    walBytes: value('walBytes'),
  });
  const second = of((key) => between[key] / between.seconds);
  return {
    second,
    minute: of(
      (key) => Math.max(0, across[key] - second[key] * across.seconds) / Math.max(1, across.minutes),
    ),
  };
}

/** What a stack without work takes in such a time. */
const idleIn = (
  idle: Idle,
  { seconds, minutes }: Pick<Measured, 'seconds' | 'minutes'>,
  key: keyof Taking,
): number => idle.second[key] * seconds + idle.minute[key] * minutes;

/** What a stack without work takes in a second, on average. */
export const meanIdle = (idle: Idle, key: keyof Taking): number =>
  idleIn(idle, { seconds: 60, minutes: 1 }, key) / 60;

/**
 * What one of `count` units took, without what the stack takes anyway, and without other work that was done for them.
 *
 * @param perSecond the rate at which they were done
 */
export function costOf(
  measured: Measured,
  { count, perSecond }: { count: number; perSecond: number },
  idle: Idle,
  others: readonly { count: number; cost: Cost; bytes: number }[] = [],
): { cost: Cost; bytes: number } {
  const each = (key: keyof Processor, of: keyof Cost): number =>
    rest(measured[key] - idleIn(idle, measured, key), (other) => (other.count * other.cost[of]) / 1_000_000) *
    1_000_000;
  const rest = (all: number, value: (other: (typeof others)[number]) => number): number =>
    Math.max(0, all - sum(others, value)) / count;
  return {
    cost: {
      perSecond,
      nodeMicros: each('node', 'nodeMicros'),
      postgresMicros: each('postgres', 'postgresMicros'),
      temporalMicros: each('temporal', 'temporalMicros'),
      walBytes: rest(
        measured.walBytes - idleIn(idle, measured, 'walBytes'),
        (other) => other.count * other.cost.walBytes,
      ),
    },
    bytes: rest(measured.bytes, (other) => other.count * other.bytes),
  };
}

/** Work that was done. */
export interface Work {
  unit: Unit;
  count: number;
  /** at which it was done: infinite, if as fast as the machine goes. Default: `count` by the seconds of the whole */
  perSecond?: number;
}

/** What a load takes altogether. */
export interface Taken {
  processorSeconds: number;
  walBytes: number;
  /** at rest */
  bytes: number;
}

/** What this work takes in such a time, with what the stack takes without work. */
export function predict(
  costs: Costs,
  idle: Idle,
  work: readonly Work[],
  time: Pick<Measured, 'seconds' | 'minutes'>,
): Taken {
  const flows = work.map(({ perSecond, count, unit }) => ({
    unit,
    perSecond: perSecond ?? count / time.seconds,
  }));
  const all = requestsOf(costs, flows);
  const each = work.map(({ unit, count }) => ({
    count,
    cost: costAt(costs[unit], all),
    bytes: costs[unit].bytes,
  }));
  const idleSeconds = sum(['node', 'postgres', 'temporal'] as const, (key) => idleIn(idle, time, key));
  return {
    processorSeconds: idleSeconds + sum(each, ({ count, cost }) => count * processorMicros(cost)) / 1_000_000,
    walBytes: idleIn(idle, time, 'walBytes') + sum(each, ({ count, cost }) => count * cost.walBytes),
    bytes: sum(each, ({ count, bytes }) => count * bytes),
  };
}

/** How far a prediction may be from what is measured, in percent. */
export const goals: Readonly<Record<keyof Taken, number>> = { processorSeconds: 20, walBytes: 10, bytes: 10 };

/** In percent of what was measured; above 0 when too much was predicted. */
export const errorPercent = (predicted: number, measured: number): number =>
  ((predicted - measured) / measured) * 100;

/** The figures whose prediction is further off than its goal. */
export const missed = (predicted: Taken, measured: Taken): (keyof Taken)[] =>
  (Object.keys(goals) as (keyof Taken)[]).filter(
    // What cannot be computed, because nothing was measured, is missed as well.
    (key) => !(Math.abs(errorPercent(predicted[key], measured[key])) <= goals[key]),
  );

const sum = <One>(list: readonly One[], value: (one: One) => number): number =>
  list.reduce((total, one) => total + value(one), 0);
