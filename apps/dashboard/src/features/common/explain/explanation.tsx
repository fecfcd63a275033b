import { Link, useLocation } from 'react-router';
import type { Explanation as Answer } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { Fold } from '../../../ui/fold.tsx';
import { Moment } from '../../../ui/time.tsx';
import timeline from '../../../ui/timeline.module.css';
import styles from './explanation.module.css';
import { buttonOf, pageOf, pathOf, toneOf, verdicts } from './explanation.rules.ts';

/** The answer in one sentence, what would change it, and what is recorded. */
export function Explanation({ answer }: { answer: Answer }) {
  const { pathname } = useLocation();
  const { word, tone } = verdicts[answer.verdict];
  return (
    <div className={styles.answer}>
      <Chip tone={tone}>{word}</Chip>
      <p className={styles.headline}>{answer.headline}</p>
      {answer.next.length > 0 && (
        <ul className={styles.next} aria-label="What to do">
          {answer.next.map(({ action, text, url }) => (
            <li key={action + text} className={styles.next}>
              <p>{text}</p>
              {action !== 'none' && url !== null && pathOf(url) !== pathname && (
                <ButtonLink small to={pathOf(url)}>
                  {buttonOf(action)}
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
  return (
    <ol className={timeline.timeline}>
      {answer.chain.map((link, index) => {
        const page = pageOf(link, answer.question);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: links have no id, and an answer is shown as a whole
          <li key={index} className={`${timeline.entry} ${timeline[toneOf[link.outcome]]}`}>
            <strong>{page ? <Link to={to(page)}>{link.text}</Link> : link.text}</strong>
            {link.at ? <Moment at={link.at} /> : <span className={styles.actor}>Now</span>}
            {link.outcome === 'unknown' && <span className={timeline.text}>Not recorded, or no longer</span>}
            {link.actor && <span className={styles.actor}>{link.actor.label}</span>}
          </li>
        );
      })}
    </ol>
  );
}
