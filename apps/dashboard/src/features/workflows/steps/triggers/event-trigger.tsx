import { eventName } from '@postrider/core/audience/events/contract';
import type { WhereCondition } from '@postrider/core/audience/segments/contract';
import { limitsOf } from '@postrider/core/base/lib/contract';
import { useQuery } from '@tanstack/react-query';
import { useContext, useState } from 'react';
import { useApi } from '../../../../lib/api.ts';
import { SuggestedField } from '../../../../ui/suggested-field.tsx';
import { FilterPlaces } from '../../../common/filters/filter-places.ts';
import { type FilterDraft, fromCondition } from '../../../common/filters/filter-tree.rules.ts';
import { WhereRows } from '../../../common/filters/where-rows.tsx';
import { HiddenJson } from '../hidden-json.tsx';
import { StepFailures } from '../step-failures.ts';
import { readWhere } from '../wait-draft.rules.ts';
import { type TriggerFieldsProps, type TriggerView, textOf } from './trigger-view.ts';

export const eventTriggerView: TriggerView = {
  summary: ({ eventName: name, where }) =>
    name === undefined ? 'No event yet' : `${name}${where === undefined ? '' : ', with conditions'}`,
  missing: 'The trigger has no event.',
  Fields: EventFields,
  read(values) {
    const drafts = JSON.parse(values['triggerConfig.where'] ?? '[]') as FilterDraft[];
    const where = readWhere(drafts, 'triggerConfig.where');
    return { eventName: values['triggerConfig.eventName'] ?? '', ...(where.length > 0 && { where }) };
  },
};

const whereIn = (where: unknown): FilterDraft[] =>
  Array.isArray(where) ? (where as WhereCondition[]).map((each) => fromCondition(each, 'event')) : [];

function EventFields({ config }: TriggerFieldsProps) {
  const names = useQuery(useApi().events.names.queryOptions());
  const failures = useContext(StepFailures);
  const [name, setName] = useState(textOf(config.eventName));
  const [where, setWhere] = useState(() => whereIn(config.where));
  const paths = new Map(where.map(({ key }, at): [string, string] => [key, `triggerConfig.where.${at}`]));
  return (
    <FilterPlaces value={{ paths, failures }}>
      <HiddenJson name="triggerConfig.where" value={where} onRestore={setWhere} />
      <SuggestedField
        name="triggerConfig.eventName"
        label="Event"
        suggestions={names.data?.eventNames ?? []}
        value={name}
        onChange={({ target }) => setName(target.value)}
        placeholder="signup"
        {...limitsOf(eventName)}
        required
        hint="An event that your code tracks, or a built-in one such as email.open. It doesn't have to exist yet."
      />
      <WhereRows where={where} of="event" eventName={name || undefined} label="Event" onChange={setWhere} />
    </FilterPlaces>
  );
}
