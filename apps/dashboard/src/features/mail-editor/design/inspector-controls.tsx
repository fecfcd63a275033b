import { type Alignment, alignments, colorOf } from '@postrider/core/content/templates/contract';
import { type ReactNode, useId } from 'react';
import field from '../../../ui/field.module.css';
import styles from './inspector.module.css';

/** The controls of the inspector have no name, because they are no fields of the form around the editor. */
interface ControlProps<Value> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
}

const Labelled = ({ label, children }: { label: string; children: (id: string) => ReactNode }) => {
  const id = useId();
  return (
    <div className={styles.control}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
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

export const CodeControl = ({ label, value, onChange }: ControlProps<string>) => (
  <Labelled label={label}>
    {(id) => (
      <textarea
        id={id}
        className={`${field.control} ${styles.code}`}
        rows={10}
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Labelled>
);

interface NumberControlProps extends ControlProps<number> {
  limits: readonly [number, number];
}

export const NumberControl = ({ label, value, onChange, limits: [min, max] }: NumberControlProps) => (
  <Labelled label={label}>
    {(id) => (
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        value={value}
        aria-valuetext={`${value} pixels`}
        onChange={({ target }) => onChange(Number(target.value))}
      />
    )}
  </Labelled>
);

export const ColorControl = ({ label, value, onChange }: ControlProps<string>) => (
  <Labelled label={label}>
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

const alignmentNames: Record<Alignment, string> = { left: 'Left', center: 'Centre', right: 'Right' };

export const AlignmentControl = ({ value, onChange }: Omit<ControlProps<Alignment>, 'label'>) => (
  <div className={styles.control}>
    <span>Alignment</span>
    <span className={styles.choices}>
      {alignments.map((alignment) => (
        <button
          key={alignment}
          type="button"
          aria-pressed={alignment === value}
          onClick={() => onChange(alignment)}
        >
          {alignmentNames[alignment]}
        </button>
      ))}
    </span>
  </div>
);
