import {
  branchName,
  type ConditionOperator,
  conditionField,
  conditionOperators,
  isMultiCondition,
  maxBranches,
  type StepConfigs,
} from '@postrider/core/automation/workflows/contract';
import { limitsOf, units, valueFormOf } from '@postrider/core/base/lib/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextAreaField, TextField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { SuggestedField } from '../../../ui/suggested-field.tsx';
import { operatorNames, unitNames } from '../../common/filters/words.ts';
import type { Comparison as Stored } from './comparison.rules.ts';
import { oneOf, typeOfValue, type ValueType, valueText } from './step-input.rules.ts';
import styles from './step-panel.module.css';
import type { StepFieldsProps } from './step-view.ts';

/** The field to check, and the branches. */
export function ConditionFields({ config, eventName }: StepFieldsProps<StepConfigs['CONDITION']>) {
  const [isMulti, setMulti] = useState(isMultiCondition(config));
  const [field, setField] = useState(config.field ?? '');
  const fields = useQuery(useApi().workflows.fields.queryOptions({ ...(eventName && { eventName }) }));
  const known = fields.data?.typedFields.find((each) => each.field === field)?.type;
  return (
    <>
      <SuggestedField
        name="config.field"
        label="Field"
        suggestions={fields.data?.fields ?? []}
        value={field}
        onChange={({ target }) => setField(target.value)}
        placeholder="data.plan"
        {...limitsOf(conditionField)}
        required
        hint="A contact field (data.…), contact.email, contact.subscribed, or a field of the triggering event (event.…)."
      />
      <SelectField
        name="mode"
        label="Branches"
        value={isMulti ? 'multi' : 'binary'}
        onChange={({ target }) => setMulti(target.value === 'multi')}
      >
        <option value="binary">Two: yes and no</option>
        <option value="multi">Several: the first match</option>
      </SelectField>
      {isMulti ? (
        <Branches stored={'branches' in config ? config.branches : undefined} known={known} />
      ) : (
        <Comparison
          path="config"
          {...('operator' in config
            ? { operator: config.operator, value: config.value, unit: config.unit }
            : {})}
          known={known}
        />
      )}
    </>
  );
}

interface Branch extends Partial<Stored> {
  id: string;
  name: string;
}

function Branches({ stored, known }: { stored: readonly Branch[] | undefined; known: string | undefined }) {
  const [branches, setBranches] = useState<readonly Branch[]>(stored ?? [{ id: 'way-1', name: '' }]);
  return (
    <>
      {branches.map((branch, index) => (
        <fieldset key={branch.id} className={styles.row}>
          <legend className="visually-hidden">Branch {index + 1}</legend>
          <input type="hidden" name={`config.branches.${index}.id`} value={branch.id} />
          <div className={styles.withRemove}>
            <TextField
              name={`config.branches.${index}.name`}
              label={`Branch ${index + 1}`}
              defaultValue={branch.name}
              {...limitsOf(branchName)}
              required
            />
            {branches.length > 1 && (
              <Button
                kind="quiet"
                small
                onClick={() => setBranches(branches.filter(({ id }) => id !== branch.id))}
                aria-label={`Remove branch ${index + 1}`}
              >
                <Icon name="cross" size={12} />
              </Button>
            )}
          </div>
          <Comparison
            path={`config.branches.${index}`}
            {...(branch.operator && { operator: branch.operator })}
            value={branch.value}
            unit={branch.unit}
            known={known}
          />
        </fieldset>
      ))}
      {branches.length < maxBranches && (
        <div>
          <Button
            small
            icon="plus"
            onClick={() => setBranches([...branches, { id: freeId(branches), name: '' }])}
          >
            Add branch
          </Button>
        </div>
      )}
    </>
  );
}

function freeId(branches: readonly Branch[]): string {
  const free = branches
    .map((_, index) => `way-${index + 1}`)
    .find((id) => branches.every((each) => each.id !== id));
  return free ?? `way-${branches.length + 1}`;
}

interface ComparisonProps extends Partial<Stored> {
  path: string;
  /** the type of the field's values */
  known: string | undefined;
}

const typeNames: Readonly<Record<ValueType, string>> = {
  text: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
  nothing: 'No value',
};
const listTypes = ['text', 'number'] as const;

function Comparison({ path, operator: stored, value, unit, known }: ComparisonProps) {
  const [operator, setOperator] = useState<ConditionOperator>(stored ?? 'equals');
  // What is stored belongs to the stored operator: a list is no number of days.
  const own = stored !== undefined && valueFormOf[stored] === valueFormOf[operator] ? value : undefined;
  return (
    <>
      <SelectField
        name={`${path}.operator`}
        label="Operator"
        value={operator}
        onChange={({ target }) => setOperator(oneOf(conditionOperators, target.value))}
      >
        {conditionOperators.map((each) => (
          <option key={each} value={each}>
            {operatorNames[each]}
          </option>
        ))}
      </SelectField>
      <Value
        key={valueFormOf[operator]}
        path={path}
        operator={operator}
        value={own}
        unit={unit}
        known={known}
      />
    </>
  );
}

function Value({
  path,
  operator,
  value,
  unit,
  known,
}: ComparisonProps & { operator: ConditionOperator }): ReactElement | null {
  const name = `${path}.value`;
  switch (valueFormOf[operator]) {
    case 'none':
      return null;
    case 'text':
      return <TextField name={name} label="Text" defaultValue={valueText(value)} required />;
    case 'age':
      return (
        <div className={styles.pair}>
          <TextField
            name={name}
            label="Number"
            inputMode="decimal"
            defaultValue={valueText(value)}
            required
          />
          <SelectField name={`${path}.unit`} label="Unit" defaultValue={unit ?? 'days'}>
            {units.map((each) => (
              <option key={each} value={each}>
                {unitNames[each]}
              </option>
            ))}
          </SelectField>
        </div>
      );
    case 'days':
      return (
        <TextField
          name={name}
          label="Days from today"
          inputMode="numeric"
          defaultValue={valueText(value)}
          required
          hint="Counted in the time zone of the project."
        />
      );
    case 'items':
      return (
        <TextField
          name={name}
          label="Items"
          defaultValue={Array.isArray(value) ? value.join(', ') : ''}
          hint="Separate them by commas."
          required
        />
      );
    case 'list':
      return <ListValue path={path} value={value} known={known} />;
    case 'any':
      return <AnyValue path={path} value={value} known={known} />;
  }
}

type ValueProps = Pick<ComparisonProps, 'path' | 'value' | 'known'>;

function ListValue({ path, value, known }: ValueProps) {
  const items: unknown[] = Array.isArray(value) ? value : [];
  const isNumeric = items.length > 0 ? typeof items[0] === 'number' : known === 'number';
  return (
    <>
      <SelectField name={`${path}.type`} label="Type" defaultValue={isNumeric ? 'number' : 'text'}>
        {listTypes.map((each) => (
          <option key={each} value={each}>
            {typeNames[each]}
          </option>
        ))}
      </SelectField>
      <TextAreaField
        name={`${path}.value`}
        label="Values"
        rows={4}
        defaultValue={items.map(valueText).join('\n')}
        required
        hint="One value per line."
      />
    </>
  );
}

function AnyValue({ path, value, known }: ValueProps) {
  const [chosen, setChosen] = useState<ValueType | null>(value === undefined ? null : typeOfValue(value));
  const type = chosen ?? (known === 'number' || known === 'boolean' ? known : 'text');
  return (
    <div className={styles.pair}>
      <SelectField
        name={`${path}.type`}
        label="Type"
        value={type}
        onChange={({ target }) => setChosen(target.value as ValueType)}
      >
        {Object.entries(typeNames).map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </SelectField>
      {type === 'boolean' && (
        <SelectField name={`${path}.value`} label="Value" defaultValue={value === false ? 'false' : 'true'}>
          <option value="true">Yes</option>
          <option value="false">No</option>
        </SelectField>
      )}
      {(type === 'text' || type === 'number') && (
        <TextField
          name={`${path}.value`}
          label="Value"
          inputMode={type === 'number' ? 'decimal' : 'text'}
          defaultValue={typeof value === 'boolean' ? '' : valueText(value)}
        />
      )}
    </div>
  );
}
