import type { StepConfigInputs, StepConfigs } from '@postrider/core/automation/workflows/contract';
import { given } from '../../../lib/given.ts';
import type { FormValues } from '../../../ui/form.tsx';
import { indexesOf, typedValue } from './step-input.rules.ts';
import type { StepView } from './step-view.ts';
import { UpdateFields } from './update-fields.tsx';

export const updateContactView: StepView<StepConfigs['UPDATE_CONTACT'], StepConfigInputs['UPDATE_CONTACT']> =
  {
    icon: 'person',
    does: 'Changes contact fields or the subscription',
    summary({ data = {}, subscriptionAction = 'none' }) {
      const written = Object.entries(data).map(([key, value]) =>
        value === null ? `remove ${key}` : `${key} = ${value}`,
      );
      return [...written, ...(subscriptionAction === 'none' ? [] : [subscriptionAction])].join(', ');
    },
    Fields: UpdateFields,
    read,
    completed({ updatedKeys, subscriptionChanged }) {
      const keys = Array.isArray(updatedKeys) && updatedKeys.length > 0 ? updatedKeys.join(', ') : null;
      const parts = [
        keys && `Updated ${keys}`,
        subscriptionChanged === true && `${keys ? 'c' : 'C'}hanged the subscription`,
      ].filter((part) => typeof part === 'string');
      return parts.length === 0 ? 'Nothing to change' : parts.join(' and ');
    },
  };

function read(values: FormValues): StepConfigInputs['UPDATE_CONTACT'] {
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
  };
}
