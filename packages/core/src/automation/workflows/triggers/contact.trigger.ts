import { z } from 'zod';
import { namedEnum, notGiven } from '../../../base/kernel/schemas.ts';
import { defineTrigger, type TriggerConfig } from './trigger.rules.ts';

/** How a contact is created; `api` is every way that has no name of its own. */
export const contactSources = ['api', 'track', 'send', 'form', 'import', 'submission', 'intake'] as const;
export type ContactSource = (typeof contactSources)[number];

const usual: readonly ContactSource[] = contactSources.filter((source) => source !== 'import');

/** The sources whose contacts enter: all but imports, unless it says which. */
export const contactTriggerSources = ({ sources }: TriggerConfig): readonly ContactSource[] =>
  Array.isArray(sources) ? (sources as ContactSource[]) : usual;

/** Starts an execution for each new contact (behaviour B14.5). */
export const contactTrigger = defineTrigger({
  type: 'CONTACT',
  label: 'New contact',
  fields: {
    sources: notGiven(
      z
        .array(namedEnum('ContactSource', contactSources))
        .min(1)
        .max(contactSources.length)
        .transform((given) => [...new Set(given)]),
    ).meta({
      description:
        'How the contact was created: `api` (any request, the dashboard included), `track`, `send`, `form`, `import`, `submission`, `intake`. Default all but `import`.',
      examples: [['api', 'form']],
    }),
  },
  needed: null,
  defaults: {},
  subject: () => 'new contact',
  events: () => [],
  isScheduled: false,
  reads: () => [],
});
