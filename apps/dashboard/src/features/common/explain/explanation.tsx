import { Link, useLocation } from 'react-router';
import type { Explanation as Answer } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { Fold } from '../../../ui/fold.tsx';
import { Moment } from '../../../ui/time.tsx';
import timeline from '../../../ui/timeline.module.css';
import styles from './explanation.module.css';
import { isSamePage, pageOf, stepsOf, toneOf, verdicts } from './explanation.rules.ts';

/** The answer in one sentence, what would change it, and what is recorded. */
export function Explanation({ answer }: { answer: Answer }) {
  const { pathname } = useLocation();
  const { word, tone } = verdicts[answer.verdict];
  const steps = stepsOf(answer.next, pathname);
  return (
    <div className={styles.answer}>
      <Chip tone={tone}>{word}</Chip>
      <p className={styles.headline}>{answer.headline}</p>
      {steps.length > 0 && (
        <ul className={styles.next} aria-label="What to do">
          {steps.map(({ text, button }) => (
            <li key={text} className={styles.next}>
              <p>{text}</p>
              {button && (
                <ButtonLink small to={button.path}>
                  {button.label}
                </ButtonLink>
              )}
            </li>
          ))}
        </ul>
      )}
      {answer.chain.length > 0 && (
        <Fold summary={`What is recorded (${answer.chain.length})`} className={styles.chain}>
          <Chain answer={answer} />
        </Fold>
      )}
    </div>
  );
}

function Chain({ answer }: { answer: Answer }) {
  const to = useProjectPath();
  const { pathname } = useLocation();
  return (
    <ol className={timeline.timeline}>
      {answer.chain.map((link, index) => {
        const page = pageOf(link, answer.question);
        const isElsewhere = page !== null && !isSamePage(to(page), pathname);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: links have no id, and an answer is shown as a whole
          <li key={index} className={`${timeline.entry} ${timeline[toneOf[link.outcome]]}`}>
            <strong>{isElsewhere ? <Link to={to(page)}>{link.text}</Link> : link.text}</strong>
            {link.at ? <Moment at={link.at} /> : <span className={styles.actor}>Now</span>}
            {link.outcome === 'unknown' && <span className={timeline.text}>Not recorded, or no longer</span>}
            {link.actor && <span className={styles.actor}>{link.actor.label}</span>}
          </li>
        );
      })}
    </ol>
  );
}
