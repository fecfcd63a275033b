/** Bounce and complaint levels of a project (behaviour B4.19). */
export interface Counts {
  /** emails that were sent or bounced */
  total: number;
  bounces: number;
  complaints: number;
}

export interface Rates extends Counts {
  /** percent of total */
  bounceRate: number;
  complaintRate: number;
}

export interface Windows<Value> {
  twentyFourHour: Value;
  sevenDay: Value;
  allTime: Value;
}

export const levels = ['healthy', 'warning', 'critical'] as const;
export type Level = (typeof levels)[number];

export interface Assessment {
  levels: { bounce7Day: Level; bounceAllTime: Level; complaint7Day: Level; complaintAllTime: Level };
  violations: string[];
  warnings: string[];
}

interface Limit {
  window: keyof Windows<unknown>;
  kind: 'bounces' | 'complaints';
  warning: number;
  critical: number;
}

/** Percent of the window's total. */
export const rateLimits = {
  bounce7Day: { window: 'sevenDay', kind: 'bounces', warning: 5, critical: 10 },
  bounceAllTime: { window: 'allTime', kind: 'bounces', warning: 4, critical: 8 },
  complaint7Day: { window: 'sevenDay', kind: 'complaints', warning: 0.075, critical: 0.15 },
  complaintAllTime: { window: 'allTime', kind: 'complaints', warning: 0.03, critical: 0.12 },
} as const satisfies Record<keyof Assessment['levels'], Limit>;

/** A rate counts only above these numbers, so that single events in a small project have no effect. */
const leastTotal = 100;
export const leastEvents = {
  bounces: { warning: 5, critical: 10 },
  complaints: { warning: 3, critical: 5 },
} as const;

/** Absolute numbers, for projects younger than 30 days. */
const newProjectLimits: readonly Limit[] = [
  { window: 'twentyFourHour', kind: 'bounces', warning: 10, critical: 25 },
  { window: 'sevenDay', kind: 'bounces', warning: 25, critical: 50 },
  { window: 'twentyFourHour', kind: 'complaints', warning: 3, critical: 7 },
  { window: 'sevenDay', kind: 'complaints', warning: 10, critical: 20 },
];

export const newProjectDays = 30;

const windowNames = { twentyFourHour: 'in 24 hours', sevenDay: 'in 7 days', allTime: 'in total' } as const;

const percent = (part: number, total: number): number => (total === 0 ? 0 : (part / total) * 100);

export const ratesOf = (counts: Counts): Rates => ({
  ...counts,
  bounceRate: percent(counts.bounces, counts.total),
  complaintRate: percent(counts.complaints, counts.total),
});

/** The levels of a project, with a sentence for each limit that it exceeds. */
export function assess(windows: Windows<Rates>, isNewProject: boolean): Assessment {
  const violations: string[] = [];
  const warnings: string[] = [];
  const note = (level: Level, text: string): void => {
    if (level === 'critical') violations.push(text);
    if (level === 'warning') warnings.push(text);
  };
  const levelOf = (name: keyof Assessment['levels']): Level => {
    const limit = rateLimits[name];
    const level = rateLevel(windows[limit.window], limit);
    note(level, rateText(windows[limit.window], limit));
    return level;
  };
  const assessed = {
    bounce7Day: levelOf('bounce7Day'),
    bounceAllTime: levelOf('bounceAllTime'),
    complaint7Day: levelOf('complaint7Day'),
    complaintAllTime: levelOf('complaintAllTime'),
  };
  for (const limit of isNewProject ? newProjectLimits : []) {
    const count = windows[limit.window][limit.kind];
    const level = count >= limit.critical ? 'critical' : count >= limit.warning ? 'warning' : 'healthy';
    note(level, `${count} ${limit.kind} ${windowNames[limit.window]}, high for a new project`);
  }
  return { levels: assessed, violations, warnings };
}

function rateLevel(rates: Rates, { kind, warning, critical }: Limit): Level {
  if (rates.total < leastTotal) return 'healthy';
  const rate = rateOf(rates, kind);
  const least = leastEvents[kind];
  if (rate >= critical && rates[kind] >= least.critical) return 'critical';
  return rate >= warning && rates[kind] >= least.warning ? 'warning' : 'healthy';
}

const rateOf = (rates: Rates, kind: Limit['kind']): number =>
  kind === 'bounces' ? rates.bounceRate : rates.complaintRate;

const rateText = (rates: Rates, { window, kind }: Limit): string =>
  `${rateOf(rates, kind).toFixed(kind === 'bounces' ? 1 : 2)} % ${kind} ${windowNames[window]}`;
