import type { WhereCondition } from '../../audience/segments/filters.rules.ts';

export interface AwaitedEvent {
  eventName: string;
  where?: WhereCondition[] | undefined;
}

/** The events in a configuration of a wait, whole or in parts. */
export interface Awaiting {
  eventName?: string | undefined;
  events?: readonly AwaitedEvent[] | undefined;
}

/** The events that a wait accepts, however they are written. */
export const eventsAwaited = ({ eventName: name, events }: Awaiting): readonly AwaitedEvent[] =>
  events ?? (name === undefined ? [] : [{ eventName: name }]);
