import { type SenderRefusal, senderRefusals } from '../../base/kernel/enums.ts';

/** Bounce and complaint levels of a project (behaviour B4.19). */
export interface Counts {
  /** emails that were sent or bounced */
  total: number;
  /** contacts whose email bounced, or who complained; emails, of contacts that are deleted */
  bounces: number;
  complaints: number;
  /** of these, those that are known from reports without a proof only (behaviour B11.7) */
  unprovenBounces: number;
  unprovenComplaints: number;
}

export interface Rates extends Counts {
  /** percent of total */
  bounceRate: number;
  complaintRate: number;
}

/** Emails of seven days that were refused for the sender, by class, and those that were sent or refused. */
export type Refusals = Record<SenderRefusal, number> & { total: number };

export interface Windows<Value> {
  twentyFourHour: Value;
  sevenDay: Value;
  allTime: Value;
}

export const levels = ['healthy', 'warning', 'critical'] as const;
export type Level = (typeof levels)[number];

export interface Assessment {
  levels: { bounce7Day: Level; bounceAllTime: Level; complaint7Day: Level; complaintAllTime: Level };
  /** critical limits that are exceeded by what is proven */
  violations: string[];
  warnings: string[];
  /** classes of refusals that are frequent: a warning each, never a violation, as a listed server is not the project's fault */
  refusals: SenderRefusal[];
  /** whether more limits would be critical if all reports were proven */
  isDoubtful: boolean;
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

/** Percent of the total of seven days, and a number of refusals, from which on they are a warning. */
export const refusalLimits = { percent: 5, least: 20 } as const;

const refusalTexts: Readonly<Record<SenderRefusal, string>> = {
  blocked: 'blocked because of the reputation of the sending server or domain',
  authentication:
    'refused because the sender could not be authenticated (SPF, DKIM, DMARC); check the domain',
  content: 'refused because of its content',
};

const windowNames = { twentyFourHour: 'in 24 hours', sevenDay: 'in 7 days', allTime: 'in total' } as const;

const percent = (part: number, total: number): number => (total === 0 ? 0 : (part / total) * 100);

export const ratesOf = (counts: Counts): Rates => ({
  ...counts,
  bounceRate: percent(counts.bounces, counts.total),
  complaintRate: percent(counts.complaints, counts.total),
});

/** What is certain of the counts of a window. */
const provenOf = ({ total, bounces, complaints, unprovenBounces, unprovenComplaints }: Rates): Rates =>
  ratesOf({
    total,
    bounces: bounces - unprovenBounces,
    complaints: complaints - unprovenComplaints,
    unprovenBounces: 0,
    unprovenComplaints: 0,
  });

/**
 * The levels of a project, with a sentence for each limit that it exceeds. Only what is proven is critical: reports that anybody could have
 * written make a warning of it.
 */
export function assess(windows: Windows<Rates>, refused: Refusals, isNewProject: boolean): Assessment {
  const violations: string[] = [];
  const warnings: string[] = [];
  let isDoubtful = false;
  const judge = (
    window: keyof Windows<unknown>,
    kind: Limit['kind'],
    { levelOf, textOf }: { levelOf: (rates: Rates) => Level; textOf: (rates: Rates) => string },
  ): Level => {
    const all = windows[window];
    const proven = provenOf(all);
    if (levelOf(proven) === 'critical') {
      violations.push(textOf(proven));
      return 'critical';
    }
    const level = levelOf(all);
    if (level === 'healthy') return level;
    if (level === 'critical') isDoubtful = true;
    const unproven = all[kind] - proven[kind];
    const doubt = unproven > 0 ? `, of which ${unproven} ${unproven === 1 ? 'is' : 'are'} not proven` : '';
    warnings.push(textOf(all) + doubt);
    return 'warning';
  };
  const judgeRate = (name: keyof Assessment['levels']): Level => {
    const limit = rateLimits[name];
    return judge(limit.window, limit.kind, {
      levelOf: (rates) => rateLevel(rates, limit),
      textOf: (rates) => rateText(rates, limit),
    });
  };
  const assessed = {
    bounce7Day: judgeRate('bounce7Day'),
    bounceAllTime: judgeRate('bounceAllTime'),
    complaint7Day: judgeRate('complaint7Day'),
    complaintAllTime: judgeRate('complaintAllTime'),
  };
  for (const { window, kind, warning, critical } of isNewProject ? newProjectLimits : []) {
    judge(window, kind, {
      levelOf: (rates) =>
        rates[kind] >= critical ? 'critical' : rates[kind] >= warning ? 'warning' : 'healthy',
      textOf: (rates) => `${rates[kind]} ${kind} ${windowNames[window]}, high for a new project`,
    });
  }
  const refusals = senderRefusals.filter((each) => isFrequent(refused, each));
  for (const each of refusals)
    warnings.push(
      `${percent(refused[each], refused.total).toFixed(1)} % of email in 7 days was ${refusalTexts[each]}`,
    );
  return { levels: assessed, violations, warnings, refusals, isDoubtful };
}

const isFrequent = (refused: Refusals, given: SenderRefusal): boolean =>
  refused[given] >= refusalLimits.least && percent(refused[given], refused.total) >= refusalLimits.percent;

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
