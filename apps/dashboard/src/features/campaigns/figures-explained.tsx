import { Fact, Facts } from '../../ui/facts.tsx';
import { Fold } from '../../ui/fold.tsx';
import { campaignFigures } from './campaign-figures.rules.ts';

/** What the figures count, in the words of their definition. */
export const FiguresExplained = ({ deliveryReported }: { deliveryReported: boolean }) => (
  <Fold summary="What these figures count">
    <Facts>
      {campaignFigures(deliveryReported).map(({ name, label, explanation }) => (
        <Fact key={name} name={label}>
          {explanation}
        </Fact>
      ))}
    </Facts>
  </Fold>
);
