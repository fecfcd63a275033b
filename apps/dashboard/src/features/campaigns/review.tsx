import { Button } from '../../ui/button.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import type { FormValues } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { picturedText } from '../../ui/mail-picture.rules.ts';
import { CheckNotes } from '../mail-editor/checks/check-notes.tsx';
import type { Finding } from '../mail-editor/checks/finding.rules.ts';
import { readContent } from '../mail-editor/content/content.rules.ts';
import { ContentFacts } from '../templates/content-facts.tsx';
import { AudienceSummary } from './audience-summary.tsx';
import type { LiveAudienceState } from './live-audience.tsx';
import styles from './review.module.css';
import type { Missing } from './steps.rules.ts';

interface ReviewProps {
  values: FormValues;
  missing: readonly Missing[];
  audience: LiveAudienceState;
  /** what the checks before sending have found; null while that is not known */
  ruled: readonly Finding[] | null;
  onGoTo: (missing: Missing) => void;
}

/** What is about to be sent to whom, and what is still missing. */
export function Review({ values, missing, audience, ruled, onGoTo }: ReviewProps) {
  const content = readContent(values);
  return (
    <div className={styles.review}>
      <div className={styles.side}>
        {missing.length === 0 ? (
          <p className={styles.ready}>
            <Icon name="check" /> Everything is filled in. Send yourself a test before you send it to
            everyone.
          </p>
        ) : (
          <ul className={styles.missing} aria-label="Still to do">
            {missing.map((each) => (
              <li key={each.field}>
                <Button kind="quiet" small icon="alert" onClick={() => onGoTo(each)}>
                  {each.text}
                </Button>
              </li>
            ))}
          </ul>
        )}
        <CheckNotes content={content} ruled={ruled} />
        {audience.data && <AudienceSummary audience={audience.data} busy={audience.isCounting} />}
      </div>
      <Facts>
        <Fact name="Subject">{picturedText(values.subject ?? '').trim() || '–'}</Fact>
        <ContentFacts content={content} />
      </Facts>
    </div>
  );
}
