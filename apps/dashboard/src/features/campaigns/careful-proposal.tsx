import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Finding } from '../mail-editor/checks/finding.rules.ts';

interface CarefulProposalProps {
  /** what the checks before sending have found; null while that is not known */
  ruled: readonly Finding[] | null;
  isChosen: boolean;
  onChoose: () => void;
}

/** Offers to begin carefully where many recipients were never sent an email: it is not known which of the addresses exist. */
export function CarefulProposal({ ruled, isChosen, onChoose }: CarefulProposalProps) {
  const finding = ruled?.find(({ rule }) => rule === 'cold_audience');
  if (!finding || isChosen) return null;
  return (
    <Notice
      tone="warn"
      title="Many recipients were never sent an email"
      action={
        <Button small onClick={onChoose}>
          Begin carefully
        </Button>
      }
    >
      <p>{finding.text}</p>
    </Notice>
  );
}
