import type { EmailContent } from '@postrider/core/content/templates/contract';
import { Button } from '../../../ui/button.tsx';
import { TextAreaField } from '../../../ui/field.tsx';
import { templateTexts } from '../content/content.rules.ts';
import { withNamesOf } from '../content/sample.rules.ts';
import styles from './content-preview.module.css';
import type { Sample } from './use-content-preview.ts';

interface SampleFieldsProps {
  content: EmailContent;
  sample: Sample;
  failure: string | undefined;
  onSample: (sample: Sample) => void;
}

/** Sample values for the variables of a preview; they take precedence over the data of its contact. */
export const SampleFields = ({ content, sample, failure, onSample }: SampleFieldsProps) => (
  <div className={styles.sample}>
    <TextAreaField
      name="sampleValues"
      label="Values"
      code
      rows={4}
      value={sample.values}
      onChange={({ target }) => onSample({ ...sample, values: target.value })}
      failure={failure}
      placeholder='{"name": "Ada"}'
      hint="JSON, like the data of a send request. Overrides the contact's data. Not saved."
    />
    <Button
      small
      onClick={() => onSample({ ...sample, values: withNamesOf(sample.values, templateTexts(content)) })}
    >
      Insert the variables used in this email
    </Button>
  </div>
);
