import {
  type AwaitedEvent,
  type Awaiting,
  eventsAwaited,
  type StepConfigInputs,
} from '@postrider/core/automation/workflows/contract';
import { given } from '../../../lib/given.ts';
import type { FormValues } from '../../../ui/form.tsx';
import {
  type FilterDraft,
  fromCondition,
  isConditionFilled,
  toCondition,
} from '../../common/filters/filter-tree.rules.ts';
import { durationUnits } from './duration.rules.ts';
import { UnreadableField } from './step-input.rules.ts';

type Input = StepConfigInputs['WAIT_FOR_EVENT'];

/** An event that ends a wait, while it is edited. */
export interface AwaitedDraft {
  key: number;
  name: string;
  where: FilterDraft[];
}

export const newAwaited = (others: readonly AwaitedDraft[]): AwaitedDraft => ({
  key: 1 + Math.max(0, ...others.map(({ key }) => key)),
  name: '',
  where: [],
});

/** The events of a configuration; a new one to begin with. */
export function awaitedIn(config: Awaiting): AwaitedDraft[] {
  const drafts = eventsAwaited(config).map(({ eventName, where = [] }: AwaitedEvent, index) => ({
    key: index + 1,
    name: eventName,
    where: where.map((condition) => fromCondition(condition, 'event')),
  }));
  return drafts.length > 0 ? drafts : [newAwaited([])];
}

/** The configuration in the fields of the form: in its short form where one event is awaited, whatever its data. @throws UnreadableField */
export function readWait(values: FormValues): Input {
  const drafts = JSON.parse(values['config.events'] ?? '[]') as AwaitedDraft[];
  const events = drafts.map(({ name, where }, index) => ({
    eventName: name,
    ...(where.length > 0 && { where: readWhere(where, `config.events.${index}.where`) }),
  }));
  const [only, ...more] = events;
  const timeout = timeoutOf(values);
  return only && more.length === 0 && !('where' in only)
    ? { eventName: only.eventName, ...timeout }
    : { events, ...timeout };
}

/** Conditions on the data of an event. @throws UnreadableField */
export const readWhere = (drafts: readonly FilterDraft[], field: string) =>
  drafts.map((each, at) => readPart(each, `${field}.${at}`));

function readPart(draft: FilterDraft, field: string) {
  if (draft.name.trim() === '') throw new UnreadableField(`${field}.property`, 'Enter a property');
  if (!isConditionFilled(draft)) throw new UnreadableField(`${field}.value`, 'Enter a value');
  return toCondition(draft);
}

function timeoutOf(values: FormValues): { timeout?: number } {
  const amount = given(values['config.timeout']);
  if (amount === undefined) return {};
  const unit = values.timeoutUnit as keyof typeof durationUnits;
  return { timeout: Number(amount) * (durationUnits[unit] ?? 1) };
}

/** The events of a wait in words: `paid or order.cancelled`. */
export const awaitedInWords = (config: Awaiting): string =>
  eventsAwaited(config)
    .map(({ eventName, where = [] }: AwaitedEvent) =>
      where.length > 0 ? `${eventName} (restricted)` : eventName,
    )
    .join(' or ');
