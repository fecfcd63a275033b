import { useState } from 'react';
import type { Contact } from '../../../lib/api.ts';
import { formatCount } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { valueInWords } from '../events/data-in-words.rules.ts';
import styles from './contact-segments.module.css';

/** More fields are shown when they are asked for. */
const shownAtFirst = 8;

/** To the form at the end of the page. */
function toForm(): void {
  const form = document.getElementById('edit');
  form?.scrollIntoView();
  form?.querySelector('input')?.focus({ preventScroll: true });
}

/** The data of a contact, to read; the form below changes it. */
export function ContactData({ data }: Pick<Contact, 'data'>) {
  const [isWhole, setWhole] = useState(false);
  const fields = Object.entries(data);
  const shown = isWhole ? fields : fields.slice(0, shownAtFirst);
  return (
    <Panel
      title="Data"
      aside={
        <Button kind="quiet" small onClick={toForm}>
          Edit
        </Button>
      }
    >
      {fields.length === 0 && <p className={styles.none}>Nothing but the address is known.</p>}
      {fields.length > 0 && (
        <Facts>
          {shown.map(([key, value]) => (
            <Fact key={key} name={key}>
              {Array.isArray(value) ? value.join(', ') : valueInWords(value)}
            </Fact>
          ))}
        </Facts>
      )}
      {shown.length < fields.length && (
        <p>
          <Button kind="quiet" small onClick={() => setWhole(true)}>
            Show all {formatCount(fields.length)} fields
          </Button>
        </p>
      )}
    </Panel>
  );
}
