import { useProject } from '../../../lib/current.ts';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import type { DesignedContent } from '../content/content.rules.ts';
import type { Finding, Severity } from './finding.rules.ts';
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

/** Findings, each of which goes to its place in the form around the list. */
export function FindingList({ content, findings }: FindingListProps) {
  const { language } = useProject();
  return (
    <ul className={styles.findings} aria-label="Findings">
      {findings.slice(0, shown).map((finding) => (
        <li key={`${finding.field} ${finding.offset} ${finding.text}`}>
          <button
            type="button"
            className={styles.finding}
            onClick={({ currentTarget: { form } }) => goToFinding(finding, { content, language, form })}
          >
            <span className={styles[finding.severity]}>
              <Icon name={icons[finding.severity]} size={15} />
              <span className="visually-hidden">{names[finding.severity]}: </span>
            </span>
            <span>{finding.text}</span>
          </button>
        </li>
      ))}
      {findings.length > shown && <li className={styles.more}>and {findings.length - shown} more</li>}
    </ul>
  );
}
