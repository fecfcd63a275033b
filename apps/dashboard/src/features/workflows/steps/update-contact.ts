import type { StepConfigInputs, StepConfigs } from '@postrider/core/automation/workflows/contract';
import { given } from '../../../lib/given.ts';
import type { FormValues } from '../../../ui/form.tsx';
import { choicesIn } from '../../common/topics/topic-choices.rules.ts';
import { indexesOf, typedValue } from './step-input.rules.ts';
import type { StepView } from './step-view.ts';
import { UpdateFields } from './update-fields.tsx';

export const updateContactView: StepView<StepConfigs['UPDATE_CONTACT'], StepConfigInputs['UPDATE_CONTACT']> =
  {
    icon: 'person',
    does: 'Changes contact fields, the subscription or topics',
    summary({ data = {}, subscriptionAction = 'none', topics = {} }) {
      const written = Object.entries(data).map(([key, value]) =>
        value === null ? `remove ${key}` : `${key} = ${value}`,
      );
      const chosen = Object.entries(topics).map(([key, choice]) => `${choice ? 'topic' : 'no topic'} ${key}`);
      return [...written, ...(subscriptionAction === 'none' ? [] : [subscriptionAction]), ...chosen].join(
        ', ',
      );
    },
    Fields: UpdateFields,
    read,
    completed({ updatedKeys, subscriptionChanged, updatedTopics }) {
      const keys = Array.isArray(updatedKeys) && updatedKeys.length > 0 ? updatedKeys.join(', ') : null;
      const parts = [
        keys && `Updated ${keys}`,
        subscriptionChanged === true && 'changed the subscription',
        Array.isArray(updatedTopics) && updatedTopics.length > 0 && `chose for ${updatedTopics.join(', ')}`,
      ].filter((part) => typeof part === 'string');
      const story = parts.join(' and ');
      return story === '' ? 'Nothing to change' : `${story.charAt(0).toUpperCase()}${story.slice(1)}`;
    },
  };

function read(values: FormValues): StepConfigInputs['UPDATE_CONTACT'] {
  const topics = choicesIn(values, 'config.topics.');
  // Empty rows are ignored.
  const written = indexesOf(values, 'row', 'key').filter(
    (index) => given(values[`row.${index}.key`]) ?? given(values[`row.${index}.value`]),
  );
  const rows = written.map((index) => {
    const type = values[`row.${index}.type`];
    const value =
      type === 'removed' ? null : typedValue(type, values[`row.${index}.value`] ?? '', `row.${index}.value`);
    return [values[`row.${index}.key`] ?? '', value] as const;
  });
  return {
    ...(rows.length > 0 && { data: Object.fromEntries(rows) }),
    subscriptionAction: values['config.subscriptionAction'] ?? 'none',
    ...(topics && { topics }),
  };
}
