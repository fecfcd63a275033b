import { Link } from 'react-router';
import { useProject, useProjectPath } from '../../../lib/current.ts';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import type { DesignedContent } from '../content/content.rules.ts';
import { type Finding, pageOf, type Severity } from './finding.rules.ts';
import styles from './finding-list.module.css';
import { goToFinding } from './go-to-finding.ts';

const icons: Readonly<Record<Severity, IconName>> = { error: 'stop', warning: 'alert', hint: 'question' };
const names: Readonly<Record<Severity, string>> = { error: 'Error', warning: 'Warning', hint: 'Hint' };

/** At most this many are shown: an email from another program may have the same problem in each of its images. */
const shown = 30;

interface FindingListProps {
  content: DesignedContent;
  findings: readonly Finding[];
}

/** Findings, each of which goes to its place: in the form around the list, or on another page. */
export function FindingList({ content, findings }: FindingListProps) {
  const { language } = useProject();
  const to = useProjectPath();
  return (
    <ul className={styles.findings} aria-label="Findings">
      {findings.slice(0, shown).map((finding) => {
        const place = pageOf(finding);
        return (
          <li key={`${finding.field} ${finding.offset} ${finding.text}`}>
            {place ? (
              <Link className={styles.finding} to={to(place.page)}>
                <Told finding={finding} />
              </Link>
            ) : (
              <button
                type="button"
                className={styles.finding}
                onClick={({ currentTarget: { form } }) => goToFinding(finding, { content, language, form })}
              >
                <Told finding={finding} />
              </button>
            )}
          </li>
        );
      })}
      {findings.length > shown && <li className={styles.more}>and {findings.length - shown} more</li>}
    </ul>
  );
}

const Told = ({ finding: { severity, text } }: { finding: Finding }) => (
  <>
    <span className={styles[severity]}>
      <Icon name={icons[severity]} size={15} />
      <span className="visually-hidden">{names[severity]}: </span>
    </span>
    <span>{text}</span>
  </>
);
