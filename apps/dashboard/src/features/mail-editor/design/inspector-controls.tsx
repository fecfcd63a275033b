import { type Alignment, alignments, colorOf } from '@postrider/core/content/templates/contract';
import { type ReactNode, useId, useState } from 'react';
import field from '../../../ui/field.module.css';
import { Segments } from '../../../ui/segments.tsx';
import styles from './inspector.module.css';

/** The controls of the inspector have no name, because they are no fields of the form around the editor. */
interface ControlProps<Value> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
}

interface LabelledProps {
  label: string;
  /** Sets back to what applies without a value; absent while that applies. */
  onReset?: (() => void) | undefined;
  failure?: string | undefined;
  children: (id: string, described: string | undefined) => ReactNode;
}

const Labelled = ({ label, onReset, failure, children }: LabelledProps) => {
  const id = useId();
  return (
    <div className={styles.control}>
      <span className={styles.labels}>
        <label htmlFor={id}>{label}</label>
        {onReset && (
          <button
            type="button"
            className={styles.reset}
            aria-label={`Reset: ${label.toLowerCase()}`}
            onClick={onReset}
          >
            Reset
          </button>
        )}
      </span>
      {children(id, failure ? `${id}-failure` : undefined)}
      {failure && (
        <p id={`${id}-failure`} className={field.failure}>
          {failure}
        </p>
      )}
    </div>
  );
};

export const TextControl = ({
  label,
  value,
  onChange,
  placeholder,
}: ControlProps<string> & { placeholder?: string }) => (
  <Labelled label={label}>
    {(id) => (
      <input
        id={id}
        type="text"
        className={field.control}
        placeholder={placeholder}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
    )}
  </Labelled>
);

interface CodeControlProps extends ControlProps<string> {
  rows?: number;
  placeholder?: string;
  failure?: string | undefined;
}

export const CodeControl = ({
  label,
  value,
  onChange,
  rows = 10,
  placeholder,
  failure,
}: CodeControlProps) => (
  <Labelled label={label} failure={failure}>
    {(id, described) => (
      <textarea
        id={id}
        className={`${field.control} ${styles.code}`}
        rows={rows}
        spellCheck={false}
        placeholder={placeholder}
        aria-invalid={failure ? true : undefined}
        aria-describedby={described}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Labelled>
);

interface NumberControlProps extends ControlProps<number> {
  limits: readonly [number, number];
  unit?: 'px' | '%';
  onReset?: (() => void) | undefined;
}

const unitNames = { px: 'pixels', '%': 'percent' } as const;

/** A number as a slider, and beside it as a field for those who know it. */
export function NumberControl({
  label,
  value,
  onChange,
  limits: [min, max],
  unit = 'px',
  onReset,
}: NumberControlProps) {
  /** What is typed, which is within the limits only when it is complete. */
  const [typed, setTyped] = useState<string | null>(null);
  const type = (text: string) => {
    setTyped(text);
    const number = Number(text);
    if (text.trim() !== '' && Number.isFinite(number))
      onChange(Math.min(max, Math.max(min, Math.round(number))));
  };
  return (
    <Labelled label={label} onReset={onReset}>
      {(id) => (
        <span className={styles.number}>
          <input
            id={id}
            type="range"
            min={min}
            max={max}
            value={value}
            aria-valuetext={`${value} ${unitNames[unit]}`}
            onChange={({ target }) => onChange(Number(target.value))}
          />
          <input
            type="text"
            inputMode="numeric"
            className={styles.typed}
            aria-label={`${label} in ${unitNames[unit]}`}
            value={typed ?? value}
            onChange={({ target }) => type(target.value)}
            onBlur={() => setTyped(null)}
            onKeyDown={(event) => {
              const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
              if (step === undefined && event.key !== 'Enter') return;
              event.preventDefault();
              setTyped(null);
              if (step !== undefined) onChange(Math.min(max, Math.max(min, value + step)));
            }}
          />
          <span aria-hidden="true">{unit}</span>
        </span>
      )}
    </Labelled>
  );
}

interface ColorControlProps extends ControlProps<string> {
  onReset?: (() => void) | undefined;
}

export const ColorControl = ({ label, value, onChange, onReset }: ColorControlProps) => (
  <Labelled label={label} onReset={onReset}>
    {(id) => (
      <span className={styles.color}>
        <input
          id={id}
          type="color"
          value={colorOf(value, '#000000')}
          onChange={({ target }) => onChange(target.value)}
        />
        <code>{colorOf(value, '#000000')}</code>
      </span>
    )}
  </Labelled>
);

interface ChoiceControlProps<Value extends string> extends ControlProps<Value> {
  options: readonly { value: Value; label: string }[];
}

export const ChoiceControl = <Value extends string>({
  label,
  value,
  options,
  onChange,
}: ChoiceControlProps<Value>) => (
  <div className={styles.control}>
    <span>{label}</span>
    <Segments label={label} options={options} value={value} onChange={onChange} />
  </div>
);

export const CheckControl = ({ label, value, onChange }: ControlProps<boolean>) => {
  const id = useId();
  return (
    <div className={styles.check}>
      <input id={id} type="checkbox" checked={value} onChange={({ target }) => onChange(target.checked)} />
      <label htmlFor={id}>{label}</label>
    </div>
  );
};

const alignmentNames: Record<Alignment, string> = { left: 'Left', center: 'Centre', right: 'Right' };

export const AlignmentControl = ({ value, onChange }: Omit<ControlProps<Alignment>, 'label'>) => (
  <ChoiceControl
    label="Alignment"
    options={alignments.map((alignment) => ({ value: alignment, label: alignmentNames[alignment] }))}
    value={value}
    onChange={onChange}
  />
);
