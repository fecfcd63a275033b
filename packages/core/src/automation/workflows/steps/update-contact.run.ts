import { presentDefinitions, settleData, splitContactData } from '../../../audience/contacts/index.ts';
import { storable } from '../../../base/lib/index.ts';
import { updateContact } from '../runtime/contact.store.ts';
import { fillInNow } from '../runtime/fill-in.ts';
import type { StepRun } from '../runtime/step-result.ts';
import type { StepConfigs } from './steps.schema.ts';

const wanted = { subscribe: true, unsubscribe: false, none: null } as const;

export const updateContactRun: StepRun<StepConfigs['UPDATE_CONTACT']> = {
  touches: 'contact',
  async run(step, { db }) {
    const { services, state } = step;
    const { data = {}, subscriptionAction = 'none' } = step.config;
    const filled = Object.fromEntries(
      Object.entries(fillInNow(step, data, { keepsTypes: true }) as typeof data).map(([key, value]) => [
        key,
        typeof value === 'string' ? storable(value) : value,
      ]),
    );
    const split = splitContactData(filled, 'stored-only');
    const definitions = await presentDefinitions(db, state.projectId);
    const { set, unset, lists, warnings, issues } = settleData(split, definitions, state.timeZone, 'lenient');
    const [issue] = [...split.issues, ...issues];
    if (issue) {
      return {
        kind: 'failed',
        error: `The contact was not updated: ${issue.path.join('.')}: ${issue.message}`,
      };
    }
    const updated = await updateContact(db, services.secrets, state, {
      subscribed: wanted[subscriptionAction],
      set,
      unset,
      lists,
    });
    if (!updated) return { kind: 'gone' };
    return {
      kind: 'completed',
      output: {
        updatedKeys: [...Object.keys(set), ...Object.keys(lists), ...unset].sort(),
        subscriptionChanged: updated.flipped,
        ...(warnings.length > 0 && { warnings }),
      },
    };
  },
  afterwards({ services, state }) {
    services.scheduleFollowUps(state.projectId);
  },
};
