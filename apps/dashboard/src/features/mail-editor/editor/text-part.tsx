import { textLimits } from '@postrider/core/base/lib/contract';
import { createTemplateInput } from '@postrider/core/content/templates/contract';
import { useField } from '../../../ui/field.tsx';
import styles from './text-part.module.css';

interface TextPartProps {
  value: string;
  onChange: (value: string) => void;
  /** Why it cannot be rendered as it is now. */
  failure: string | undefined;
}

/** The plain-text part, if it is not made from the HTML. */
export function TextPart({ value, onChange, failure }: TextPartProps) {
  const { control, notes } = useField({
    name: 'text',
    label: 'Plain text',
    hint: 'Shown by mail programs without HTML. While it is empty, it is made from the HTML. {{variable}} writes a value as it is.',
    failure,
  });
  return (
    <div className={styles.part}>
      <textarea
        {...control}
        {...textLimits(createTemplateInput, 'text')}
        className={styles.text}
        aria-label="Plain text"
        placeholder={'Hello {{firstName ?? there}},\n\n…'}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      {notes}
    </div>
  );
}
