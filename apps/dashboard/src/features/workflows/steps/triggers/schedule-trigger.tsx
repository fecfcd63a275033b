import { useQuery } from '@tanstack/react-query';
import { useContext, useState } from 'react';
import { useApi } from '../../../../lib/api.ts';
import { given } from '../../../../lib/given.ts';
import { SelectField, TextField } from '../../../../ui/field.tsx';
import { SuggestedField } from '../../../../ui/suggested-field.tsx';
import { FilterBuilder } from '../../../common/filters/filter-builder.tsx';
import { fromTree, isTree, newTree } from '../../../common/filters/filter-tree.rules.ts';
import { readTree } from '../condition-draft.rules.ts';
import { HiddenJson } from '../hidden-json.tsx';
import { StepFailures } from '../step-failures.ts';
import styles from '../step-panel.module.css';
import { type TriggerFieldsProps, type TriggerView, textOf } from './trigger-view.ts';

/** In place of the id of a segment. */
const byFilter = 'filter';

export const scheduleTriggerView: TriggerView = {
  summary: ({ cron, timezone }) => (cron === undefined ? 'No schedule yet' : `${cron} (${timezone})`),
  missing: 'The trigger has no schedule.',
  Fields: ScheduleFields,
  read(values) {
    const audience = given(values['triggerConfig.segmentId']);
    return {
      cron: values['triggerConfig.cron'] ?? '',
      timezone: values['triggerConfig.timezone'] ?? '',
      ...(audience === byFilter
        ? { filter: readTree(values, 'triggerConfig.filter') }
        : audience !== undefined && { segmentId: audience }),
    };
  },
};

const zones = Intl.supportedValuesOf('timeZone');
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function ScheduleFields({ config }: TriggerFieldsProps) {
  const segments = useQuery(useApi().segments.list.queryOptions());
  const failures = useContext(StepFailures);
  const [audience, setAudience] = useState(isTree(config.filter) ? byFilter : textOf(config.segmentId));
  const [tree, setTree] = useState(() => (isTree(config.filter) ? fromTree(config.filter) : newTree()));
  return (
    <>
      <TextField
        name="triggerConfig.cron"
        label="Schedule (cron expression)"
        defaultValue={textOf(config.cron)}
        placeholder="0 9 * * 1"
        autoComplete="off"
        spellCheck={false}
        required
        hint="Minute, hour, day of month, month, day of week. For example, 0 9 * * 1 means every Monday at 9:00."
      />
      <SuggestedField
        name="triggerConfig.timezone"
        label="Time zone"
        suggestions={zones}
        defaultValue={textOf(config.timezone) || ownZone}
        required
      />
      <SelectField
        name="triggerConfig.segmentId"
        label="Contacts"
        value={audience}
        onChange={({ target }) => setAudience(target.value)}
      >
        <option value="">All subscribed contacts</option>
        <option value={byFilter}>Those that match a filter</option>
        {segments.data?.map(({ id, name }) => (
          <option key={id} value={id}>
            Members of {name}
          </option>
        ))}
      </SelectField>
      {audience === byFilter && (
        <div className={styles.tree}>
          <HiddenJson name="triggerConfig.filter" value={tree} onRestore={setTree} />
          <FilterBuilder tree={tree} onChange={setTree} path="triggerConfig.filter" failures={failures} />
        </div>
      )}
    </>
  );
}
