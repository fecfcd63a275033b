import { plural } from '../../../lib/format.ts';
import type { DesignedContent } from '../content/content.rules.ts';
import styles from './check-notes.module.css';
import { type Finding, problemsOf, withRuled } from './finding.rules.ts';
import { FindingList } from './finding-list.tsx';
import { useMailChecks } from './use-mail-checks.ts';

interface CheckNotesProps {
  content: DesignedContent;
  /** what the API has found by the rules of the checks before sending; null while that is not known */
  ruled: readonly Finding[] | null;
}

/** What should be seen before sending; hints are left to the editor. It prevents nothing. */
export function CheckNotes({ content, ruled }: CheckNotesProps) {
  const problems = problemsOf(withRuled(useMailChecks(content, { isCampaign: true, rendered: null }), ruled));
  // Before anything is written, what is missing says enough.
  if (problems.length === 0 || content.body.trim() === '') return null;
  return (
    <section className={styles.notes} aria-label="Checks">
      <h3 className={styles.title}>The checks found {plural(problems.length, 'problem')}</h3>
      <FindingList content={content} findings={problems} />
    </section>
  );
}
