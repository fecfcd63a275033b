import type { warningCodes } from './simulate.schema.ts';

export interface Unknowns {
  /** people who changed after they entered */
  changedPeople: number;
  /** waits for what emails cause */
  unstored: number;
  /** requests whose answer was assumed */
  assumed: number;
  /** emails whose template was changed after them */
  changedEmails: number;
  /** waits whose end was drawn */
  drawn: number;
  /** goals that end or move executions, and exit rules, by events */
  eventEnds: number;
  people: number;
  /** more people match than were drawn */
  isPart: boolean;
}

export interface Warning {
  code: (typeof warningCodes)[number];
  text: string;
  count: number;
}

const of = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** What a simulation cannot know, and how often it matters. */
export function warningsOf({
  changedPeople,
  unstored,
  assumed,
  changedEmails,
  drawn,
  eventEnds,
  people,
  isPart,
}: Unknowns): Warning[] {
  const warnings: Warning[] = [
    {
      code: 'fields_of_today',
      count: changedPeople,
      text: `${of(changedPeople, 'contact has', 'contacts have')} changed since, and count as they are now`,
    },
    {
      code: 'event_not_stored',
      count: unstored,
      text: `${of(unstored, 'wait was', 'waits were')} for what an email causes, which is known only when it is sent`,
    },
    {
      code: 'external_answer',
      count: assumed,
      text: `${of(assumed, 'request was', 'requests were')} taken for answered with 200`,
    },
    {
      code: 'content_changed',
      count: changedEmails,
      text: `${of(changedEmails, 'email has', 'emails have')} a template that was another one at its time`,
    },
    {
      code: 'ends_by_event',
      count: eventEnds,
      text: `${of(eventEnds, 'goal or exit rule waits', 'goals and exit rules wait')} for an event, which is not simulated`,
    },
    {
      code: 'sampled',
      count: isPart ? people : drawn,
      text: [
        isPart && `Only ${of(people, 'contact was', 'contacts were')} drawn of all that match`,
        drawn > 0 && `how ${of(drawn, 'wait ends', 'waits end')} was drawn`,
      ]
        .filter(Boolean)
        .join('; '),
    },
  ];
  return warnings.filter(({ count }) => count > 0);
}
