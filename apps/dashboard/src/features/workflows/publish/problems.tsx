import type { PublishPreview, WorkflowDefinition } from '../../../lib/api.ts';
import { Notice } from '../../../ui/notice.tsx';
import { type Problem, problemsAt } from './move.rules.ts';
import styles from './publish-dialog.module.css';

interface ProblemsProps extends Pick<PublishPreview, 'problems' | 'findings'> {
  definition: WorkflowDefinition;
  onSelect?: (stepId: string) => void;
  onClose: () => void;
}

/** What refuses to publish a definition, and what should be looked at before, each with its step. */
export function Problems({ problems, findings, definition, onSelect, onClose }: ProblemsProps) {
  const warnings = findings.map(({ stepKey, message }) => ({ field: `steps.${stepKey}`, message }));
  const show =
    onSelect &&
    ((stepId: string) => {
      onClose();
      onSelect(stepId);
    });
  return (
    <>
      {problems.length > 0 && (
        <Notice tone="bad" title="This cannot be published yet">
          <List problems={problemsAt(problems, definition)} onShow={show} />
        </Notice>
      )}
      {warnings.length > 0 && (
        <Notice tone="warn" title="Look at this first">
          <List problems={problemsAt(warnings, definition)} onShow={show} />
        </Notice>
      )}
    </>
  );
}

interface ListProps {
  problems: readonly Problem[];
  onShow: ((stepId: string) => void) | undefined;
}

const List = ({ problems, onShow }: ListProps) => (
  <ul className={styles.problems}>
    {problems.map(({ stepId, text }) => (
      <li key={`${stepId} ${text}`}>
        {stepId === null || !onShow ? (
          text
        ) : (
          <button type="button" className={styles.link} onClick={() => onShow(stepId)}>
            {text}
          </button>
        )}
      </li>
    ))}
  </ul>
);
