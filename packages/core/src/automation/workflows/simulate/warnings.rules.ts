import type { warningCodes } from './simulate.schema.ts';

export interface Unknowns {
  /** people who changed after they entered */
  changedPeople: number;
  /** waits and conditions for what emails cause */
  unstored: number;
  /** requests whose answer was assumed */
  assumed: number;
  /** emails whose template was changed after them */
  changedEmails: number;
  /** waits whose end was drawn */
  drawn: number;
  /** goals that end or move executions, and exit rules, whose events do not happen */
  unheardEnds: number;
  /** those that compare with the time, and of which it is that of the entry */
  timedEnds: number;
  /** new contacts of which it is not known how they were created */
  unknownSources: number;
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
  unheardEnds,
  timedEnds,
  unknownSources,
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
      text: `${of(unstored, 'wait or condition was', 'waits and conditions were')} for what an email causes, which is known only when it is sent`,
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
      count: unheardEnds + timedEnds,
      text:
        unheardEnds > 0
          ? `${of(unheardEnds, 'goal or exit rule waits', 'goals and exit rules wait')} for an event, and only those happen that are drawn for waits`
          : `${of(timedEnds, 'goal or exit rule compares', 'goals and exit rules compare')} with the time, which is that of the entry here`,
    },
    {
      code: 'source_not_stored',
      count: unknownSources,
      text: `${of(unknownSources, 'contact counts', 'contacts count')} as created in a way that the trigger takes, which is not stored`,
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
