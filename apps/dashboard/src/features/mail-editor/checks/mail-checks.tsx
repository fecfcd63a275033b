import { Fold } from '../../../ui/fold.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { DesignedContent } from '../content/content.rules.ts';
import { problemsOf } from './finding.rules.ts';
import { FindingList } from './finding-list.tsx';
import styles from './mail-checks.module.css';
import { useMailChecks } from './use-mail-checks.ts';

interface MailChecksProps {
  content: DesignedContent;
  /** The HTML as a recipient gets it; null while it was not rendered. */
  rendered: string | null;
  /** It is that of a campaign. */
  isCampaign: boolean;
}

/** The checks beside the editor: how many problems were found, and on request what they are. */
export function MailChecks({ content, rendered, isCampaign }: MailChecksProps) {
  const findings = useMailChecks(content, { isCampaign, rendered });
  const problems = problemsOf(findings).length;
  const tone = findings.some(({ severity }) => severity === 'error') ? styles.bad : styles.warn;
  const hints = findings.length === 1 ? 'hint' : 'hints';
  if (findings.length === 0)
    return (
      <p className={styles.fine}>
        <Icon name="check" size={14} /> Checks: nothing found
      </p>
    );
  return (
    <Fold
      summary={
        <span className={styles.summary}>
          Checks <span className={problems > 0 ? tone : styles.calm}>{problems || findings.length}</span>
          {problems === 0 && hints}
        </span>
      }
      label={problems > 0 ? `Checks · ${problems}` : `Checks · ${findings.length} ${hints}`}
    >
      <FindingList content={content} findings={findings} />
    </Fold>
  );
}
