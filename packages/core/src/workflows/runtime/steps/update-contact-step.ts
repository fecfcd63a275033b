import { splitContactData } from '../../../contacts/index.ts';
import type { UpdateContactConfig } from '../../steps.schema.ts';
import { updateContact } from '../contact.store.ts';
import type { Step } from '../step-result.ts';
import { fillIn, variablesOf } from '../variables.ts';

const wanted = { subscribe: true, unsubscribe: false, none: null } as const;

export const updateContactStep: Step = {
  touches: 'contact',
  prepare(context) {
    const { services, standing } = context;
    const { data = {}, subscriptionAction = 'none' } = standing.step.config as UpdateContactConfig;
    const variables = variablesOf(context);
    const filled = Object.fromEntries(
      Object.entries(data).map(([key, value]) => [
        key,
        typeof value === 'string' ? storable(fillIn(value, variables)) : value,
      ]),
    );
    const { set, unset, issues } = splitContactData(filled, 'stored-only');
    return async (db, execution) => {
      const [issue] = issues;
      if (issue) {
        return {
          kind: 'failed',
          error: `The contact was not updated: ${issue.path.join('.')}: ${issue.message}`,
        };
      }
      const updated = await updateContact(db, services.secrets, execution, {
        subscribed: wanted[subscriptionAction],
        set,
        unset,
      });
      if (!updated) return { kind: 'gone' };
      return {
        kind: 'completed',
        output: {
          updatedKeys: [...Object.keys(set), ...unset].sort(),
          subscriptionChanged: updated.flipped,
        },
      };
    };
  },
  afterwards({ services, standing }) {
    services.announceNews(standing.projectId);
  },
};

/** What PostgreSQL does not store in JSON: U+0000 and unpaired surrogates. */
const storable = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();
