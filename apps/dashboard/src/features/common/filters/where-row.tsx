import { textIn } from '@postrider/core/audience/topics/contract';
import { emailClass } from '@postrider/core/base/kernel/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { Button } from '../../../ui/button.tsx';
import { Combobox } from '../../../ui/combobox.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Select } from '../../../ui/select.tsx';
import { Suggest } from '../../../ui/suggest.tsx';
import styles from './filter-builder.module.css';
import { useFailuresAt } from './filter-places.ts';
import {
  emailProperties,
  type FilterDraft,
  isIdProperty,
  isReferring,
  operatorsFor,
  valueInputOf,
  withOperator,
} from './filter-tree.rules.ts';
import { FilterValue } from './filter-value.tsx';
import { OperatorSelect } from './operator-select.tsx';
import { propertyNames } from './words.ts';

interface WhereRowProps {
  condition: FilterDraft;
  /** of an event, whose data is known from earlier ones */
  eventName: string | undefined;
  /** whether links can be asked for */
  canClick?: boolean;
  label: string;
  onChange: (condition: FilterDraft) => void;
  onRemove?: () => void;
}

const parts = ['property', 'operator', 'value', 'unit'];

/** A condition on the data of an event, or on an email: a property, an operator and a value. */
export function WhereRow({
  condition,
  eventName,
  canClick = false,
  label,
  onChange,
  onRemove,
}: WhereRowProps) {
  const problems = useFailuresAt(condition.key, parts);
  return (
    <fieldset className={styles.where}>
      <legend className="visually-hidden">{label}</legend>
      <span className={styles.field}>
        {isIdProperty(condition) ? (
          <Select
            small
            className={styles.control}
            aria-label="Property"
            value={condition.name}
            options={[
              { value: '', label: 'Select' },
              ...emailProperties
                .filter((each) => each !== 'link' || canClick || condition.name === 'link')
                .map((value) => ({ value, label: propertyNames[value] })),
            ]}
            onChange={(name) => onChange(ofProperty(condition, name))}
          />
        ) : (
          <EventProperty condition={condition} eventName={eventName} onChange={onChange} />
        )}
      </span>
      <span className={styles.operator}>
        <OperatorSelect condition={condition} known={undefined} onChange={onChange} />
      </span>
      <span className={styles.value}>
        {isIdProperty(condition) && valueInputOf(condition) === 'text' ? (
          <EmailValue condition={condition} onChange={(value) => onChange({ ...condition, value })} />
        ) : (
          <FilterValue filter={condition} onChange={onChange} />
        )}
      </span>
      {onRemove && (
        <span className={styles.remove}>
          <Button kind="quiet" small onClick={onRemove} aria-label={`Remove ${label}`}>
            <Icon name="cross" size={14} />
          </Button>
        </span>
      )}
      {problems.length > 0 && <p className={styles.failure}>{problems.join('; ')}</p>}
    </fieldset>
  );
}

/** Another property has other values. */
function ofProperty(condition: FilterDraft, name: string): FilterDraft {
  const next = { ...condition, name, value: '', list: [] };
  return operatorsFor(next, undefined)[0] === condition.operator || name === 'link'
    ? next
    : withOperator(next, 'equals');
}

const prefix = 'event.';

function EventProperty({
  condition,
  eventName,
  onChange,
}: Pick<WhereRowProps, 'condition' | 'eventName' | 'onChange'>) {
  const fields = useQuery({
    ...useApi().workflows.fields.queryOptions({ ...(eventName && { eventName }) }),
    staleTime: 60_000,
  });
  const known = (fields.data?.typedFields ?? []).filter(({ field }) => field.startsWith(prefix));
  return (
    <Suggest
      className={styles.text}
      aria-label="Property"
      placeholder="Property, such as amount"
      suggestions={known.map(({ field }) => field.slice(prefix.length))}
      value={condition.name}
      onChange={(name) => {
        const type = known.find(({ field }) => field === `${prefix}${name}`)?.type;
        const isUntouched = condition.value === '' && (condition.list ?? []).length === 0;
        onChange({
          ...condition,
          name,
          ...(isUntouched && { type: type === 'number' || type === 'boolean' ? type : 'text' }),
        });
      }}
    />
  );
}

/** A campaign, workflow, template or topic by its name; a type of email; a link. */
function EmailValue({ condition, onChange }: { condition: FilterDraft; onChange: (value: string) => void }) {
  const { name, value } = condition;
  const records = useRecords(name);
  if (name === 'type')
    return (
      <Select
        small
        className={styles.control}
        aria-label="Value"
        value={value}
        options={[
          { value: '', label: 'Select' },
          ...emailClass.options.map((each) => ({ value: each, label: typeInWords(each) })),
        ]}
        onChange={onChange}
      />
    );
  if (!isReferring(name) && name !== 'topic')
    return (
      <Suggest
        className={styles.text}
        aria-label="Value"
        placeholder={name === 'link' ? 'https://example.com/sale' : 'Value'}
        suggestions={[]}
        value={value}
        onChange={onChange}
      />
    );
  return (
    <Combobox
      aria-label="Value"
      placeholder="Select"
      groups={[{ label: propertyNames[name], options: records }]}
      value={value}
      text={records.find((each) => each.value === value)?.label ?? value}
      onChange={onChange}
      className={styles.control}
    />
  );
}

const typeInWords = (type: string): string => `${type.slice(0, 1)}${type.slice(1).toLowerCase()}`;

const most = 100;

/** The newest records of the kind that a property refers to. */
function useRecords(property: string): { value: string; label: string }[] {
  const api = useApi();
  const staleTime = 60_000;
  const campaigns = useQuery({
    ...api.campaigns.list.queryOptions({ pageSize: most }),
    enabled: property === 'campaignId',
    staleTime,
  });
  const workflows = useQuery({
    ...api.workflows.list.queryOptions({ pageSize: most }),
    enabled: property === 'workflowId',
    staleTime,
  });
  const templates = useQuery({
    ...api.templates.list.queryOptions({ pageSize: most }),
    enabled: property === 'templateId',
    staleTime,
  });
  const topics = useQuery({
    ...api.topics.list.queryOptions({}),
    enabled: property === 'topic',
    staleTime,
  });
  const { language } = useProject();
  if (property === 'topic')
    return (topics.data ?? []).map(({ key, name }) => ({ value: key, label: textIn(name, language) }));
  const found =
    property === 'campaignId'
      ? campaigns.data?.data
      : property === 'workflowId'
        ? workflows.data?.data
        : templates.data?.data;
  return (found ?? []).map(({ id, name }) => ({ value: id, label: name }));
}
