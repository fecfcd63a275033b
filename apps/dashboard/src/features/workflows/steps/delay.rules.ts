import type { StepConfigInputs, StepConfigs } from '@postrider/core/automation/workflows/contract';
import { delayUnits, weekdays } from '@postrider/core/automation/workflows/contract';
import { plural } from '../../../lib/format.ts';
import type { FormValues } from '../../../ui/form.tsx';
import { indexesOf, oneOf } from './step-input.rules.ts';

type Config = StepConfigs['DELAY'];
type Input = StepConfigInputs['DELAY'];
type Window = NonNullable<Config['windows']>[number];
type Weekday = (typeof weekdays)[number];

export const dayNames: Readonly<Record<Weekday, string>> = {
  MON: 'Monday',
  TUE: 'Tuesday',
  WED: 'Wednesday',
  THU: 'Thursday',
  FRI: 'Friday',
  SAT: 'Saturday',
  SUN: 'Sunday',
};

const short = (day: Weekday): string => dayNames[day].slice(0, 3);

export const amountOf = (amount: unknown, unit: unknown): string =>
  plural(Number(amount), String(unit).replace(/s$/, ''));

/** Days as people say them: runs of three or more by their ends. */
function daysInWords(days: readonly Weekday[] | undefined): string {
  const indexes = weekdays.flatMap((day, index) => ((days ?? weekdays).includes(day) ? [index] : []));
  if (indexes.length === weekdays.length) return 'every day';
  const runs: number[][] = [];
  for (const index of indexes) {
    const run = runs.at(-1);
    if (run?.at(-1) === index - 1) run.push(index);
    else runs.push([index]);
  }
  const name = (index: number | undefined): string => short(weekdays[index ?? 0] ?? 'MON');
  return runs
    .map((run) => (run.length > 2 ? `${name(run[0])}–${name(run.at(-1))}` : run.map(name).join(', ')))
    .join(', ');
}

export const windowInWords = ({ days, from, to }: Window): string => `${daysInWords(days)} ${from}–${to}`;

/** What a delay waits for, in one line. */
export function delayInWords({ amount, unit, until, windows = [] }: Partial<Config>): string {
  const parts: string[] = [];
  if (amount !== undefined) parts.push(amountOf(amount, unit));
  if (until) parts.push(untilInWords(until));
  const [first, ...more] = windows;
  if (first)
    parts.push(
      `${windowInWords(first)}${more.length > 0 ? ` and ${plural(more.length, 'other time')}` : ''}`,
    );
  return parts.join(', then ');
}

function untilInWords({ field, offset, at }: NonNullable<Config['until']>): string {
  const time = at ? ` at ${at}` : '';
  if (!offset || offset.amount === 0) return `until ${field}${time}`;
  const side = offset.amount < 0 ? 'before' : 'after';
  return `until ${amountOf(Math.abs(offset.amount), offset.unit)} ${side} ${field}${time}`;
}

export const delayKinds = ['amount', 'until', 'windows'] as const;
export type DelayKind = (typeof delayKinds)[number];

export const kindOfDelay = ({ until, amount, windows }: Partial<Config>): DelayKind =>
  until ? 'until' : amount === undefined && windows ? 'windows' : 'amount';

/** The settings of a delay, from the fields of its form. */
export function readDelay(values: FormValues): Input {
  const kind = oneOf(delayKinds, values['kind']);
  const windows = indexesOf(values, 'config.windows', 'from').map((index) => readWindow(values, index));
  const except = (values['except'] ?? '').split(/[\s,;]+/).filter(Boolean);
  return {
    ...(kind === 'amount' && {
      amount: Number(values['config.amount']),
      unit: oneOf(delayUnits, values['config.unit']),
    }),
    ...(kind === 'until' && { until: readUntil(values) }),
    ...(windows.length > 0 && { windows }),
    ...(windows.length > 0 && except.length > 0 && { except }),
    ...(values['zone'] === 'PROJECT' && { zone: 'PROJECT' as const }),
  };
}

function readWindow(values: FormValues, index: number): Window {
  const path = `config.windows.${index}`;
  const days = weekdays.filter((day) => values[`${path}.${day}`] !== undefined);
  return {
    ...(days.length < weekdays.length && { days }),
    from: values[`${path}.from`] ?? '',
    to: values[`${path}.to`] ?? '',
  };
}

function readUntil(values: FormValues): NonNullable<Input['until']> {
  const amount = Number(values['offset'] ?? 0) * (values['side'] === 'before' ? -1 : 1);
  const at = values['config.until.at'] ?? '';
  return {
    field: values['config.until.field'] ?? '',
    ...(amount !== 0 && { offset: { amount, unit: oneOf(delayUnits, values['offsetUnit']) } }),
    ...(at !== '' && { at }),
    ...(values['config.until.otherwise'] === 'EXIT' && { otherwise: 'EXIT' as const }),
  };
}
