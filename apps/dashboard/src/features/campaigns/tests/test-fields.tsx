import { useQuery } from '@tanstack/react-query';
import { type Campaign, useApi } from '../../../lib/api.ts';
import { formatCount, formatPercent } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { FieldRow } from '../../../ui/form.tsx';
import styles from './test-fields.module.css';
import {
  canAdd,
  decideNames,
  differsIn,
  keyAt,
  metricNames,
  parseTest,
  type TestSetup,
  withoutVariant,
  writeTest,
} from './test-setup.rules.ts';
import { adviceInWords } from './test-words.rules.ts';

interface TestFieldsProps {
  setup: TestSetup | null;
  onChange: (setup: TestSetup | null) => void;
  /** Opens the editor of a variant, which is a new one at the end. */
  onEdit: (index: number) => void;
  /** The subject of A. */
  subject: string;
  /** The stored campaign, whose audience the advice is about; null before the first save. */
  campaign: Campaign | null;
  /** By field, as the API names them. */
  failures: Readonly<Record<string, string>>;
}

/** What a campaign compares before it goes to all: up to eight contents, and how the winner is found. */
export function TestFields({ setup, onChange, onEdit, subject, campaign, failures }: TestFieldsProps) {
  const variants = setup?.variants ?? [];
  const change = (fields: Partial<TestSetup>) => setup && onChange({ ...setup, ...fields });
  const failureOf = (index: number) =>
    Object.entries(failures).find(([field]) => field.startsWith(`test.variants.${index}`))?.[1];
  return (
    <fieldset className={styles.test} aria-label="Test">
      <textarea
        hidden
        name="test"
        value={writeTest(setup)}
        onChange={({ target }) => onChange(parseTest(target.value))}
      />
      <div className={styles.head}>
        <strong>{setup ? 'Variants' : 'Compare variants'}</strong>
        {!setup && (
          <p>
            Send two to eight versions to a part of the audience first. The others get the one that does best.
          </p>
        )}
      </div>
      {setup && (
        <ul className={styles.variants}>
          <li>
            <span className={styles.key}>A</span>
            <span className={styles.name}>
              {subject.trim() || 'No subject yet'}
              <span className={styles.note}>The email above</span>
            </span>
          </li>
          {variants.map((variant, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a variant is its place
            <li key={index}>
              <span className={styles.key}>{keyAt(index)}</span>
              <span className={styles.name}>
                {variant.subject?.trim() || subject.trim() || 'No subject yet'}
                <span className={styles.note}>Another {differsIn(variant)}</span>
                {failureOf(index) && <span className={styles.failure}>{failureOf(index)}</span>}
              </span>
              <span className={styles.tools}>
                <Button small onClick={() => onEdit(index)} aria-label={`Edit variant ${keyAt(index)}`}>
                  Edit
                </Button>
                <Button
                  small
                  kind="quiet"
                  onClick={() => onChange(withoutVariant(setup, index))}
                  aria-label={`Remove variant ${keyAt(index)}`}
                >
                  Remove
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {canAdd(setup) && (
        <Button icon="plus" onClick={() => onEdit(variants.length)}>
          Add variant {keyAt(variants.length)}
        </Button>
      )}
      {setup && (
        <>
          <FieldRow>
            <TextField
              name="test.sample"
              label="Sample, in percent"
              type="number"
              min={1}
              max={100}
              value={Number.isNaN(setup.sample) ? '' : setup.sample}
              onChange={({ target }) => change({ sample: target.valueAsNumber })}
              hint="Of the audience, in equal parts for the variants."
              required
            />
            <TextField
              name="test.hours"
              label="Hours"
              type="number"
              min={1}
              max={336}
              value={Number.isNaN(setup.hours) ? '' : setup.hours}
              onChange={({ target }) => change({ hours: target.valueAsNumber })}
              hint="Until the test ends. A clear winner goes out earlier."
              required
            />
          </FieldRow>
          <FieldRow>
            <SelectField
              name="test.metric"
              label="Winner by"
              value={setup.metric}
              onChange={({ target }) => change({ metric: target.value as TestSetup['metric'] })}
              hint={
                setup.metric === 'OPENS'
                  ? 'Mail programs and proxies open for people, so that opens say little about them.'
                  : undefined
              }
            >
              {Object.entries(metricNames).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </SelectField>
            <SelectField
              name="test.decide"
              label="Decision"
              value={setup.decide}
              onChange={({ target }) => change({ decide: target.value as TestSetup['decide'] })}
            >
              {Object.entries(decideNames).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </SelectField>
          </FieldRow>
          {campaign && <Advice campaign={campaign} setup={setup} />}
        </>
      )}
    </fieldset>
  );
}

/** What the test can find with the audience of the campaign as it was saved last. */
function Advice({ campaign, setup }: { campaign: Campaign; setup: TestSetup }) {
  const { variants, metric } = setup;
  const isWritten = Number.isInteger(setup.sample) && Number.isInteger(setup.hours);
  const advice = useQuery({
    ...useApi().campaigns.adviseTest.queryOptions({
      id: campaign.id,
      metric,
      variants: variants.length + 1,
      ...(isWritten && { sample: setup.sample, hours: setup.hours }),
    }),
    enabled: isWritten,
    // The same question is answered again when the campaign was saved with another audience.
    staleTime: 10_000,
  });
  if (!advice.data) return null;
  return (
    <p className={styles.advice} role="status">
      {adviceInWords(advice.data, { count: formatCount, percent: formatPercent }, setup)}
    </p>
  );
}
