import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Campaign, useApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { formatCount, formatMinute, formatPercent, plural } from '../../../lib/format.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Cell, Row, Table } from '../../../ui/table.tsx';
import { useRefreshCampaigns } from '../use-refresh-campaigns.ts';
import styles from './test-panel.module.css';
import { metricNames } from './test-setup.rules.ts';
import { pairInWords, type TestFigures, verdictInWords } from './test-words.rules.ts';

type Part = TestFigures['variants'][number];

/** The test of a campaign that is being sent or was: what its variants did, how they compare, and the decision. */
export function TestPanel({ campaign, figures }: { campaign: Campaign; figures: TestFigures }) {
  const [chosen, setChosen] = useState<Part | null>(null);
  const { state, endsAt, metric, pairs } = figures;
  const isOpen = state === 'RUNNING' || state === 'UNDECIDED';
  const mayDecide = isOpen && (campaign.status === 'SENDING' || campaign.status === 'SENT');
  const variants = figures.variants.filter(({ key }) => key !== 'REST');
  const rest = figures.variants.find(({ key }) => key === 'REST');
  const hasGoal = variants.some(({ converted }) => converted !== null);
  return (
    <Panel title="Test" aside={<span className={styles.metric}>Winner by: {metricNames[metric]}</span>}>
      {state === 'UNDECIDED' && mayDecide ? (
        <Notice tone="warn" title={verdictInWords(figures)} />
      ) : (
        <p className={styles.verdict}>
          {verdictInWords(figures)}
          {state === 'RUNNING' && endsAt && ` It ends on ${formatMinute(endsAt)}.`}
          {state === 'RUNNING' &&
            !endsAt &&
            ' Its time begins when the last email of the sample is on its way.'}
        </p>
      )}
      <Table
        label="Variants"
        columns={[
          { label: 'Variant' },
          { label: 'Recipients', numeric: true },
          { label: 'Sent', numeric: true, extra: true },
          { label: 'Clicked', numeric: true },
          { label: 'Opened', numeric: true, extra: true },
          ...(hasGoal ? [{ label: 'Converted', numeric: true }] : []),
          ...(mayDecide
            ? [{ label: 'Choose', control: <span className="visually-hidden">Choose</span> }]
            : []),
        ]}
      >
        {figures.variants.map((part) => (
          <Row key={part.key}>
            <Cell>
              {part.key === 'REST' ? 'Rest' : `Variant ${part.key}`}{' '}
              {part.key === figures.winner && <Chip tone="good">Winner</Chip>}
            </Cell>
            <Cell numeric>{formatCount(part.recipients)}</Cell>
            <Cell numeric extra>
              {formatCount(part.sent)}
            </Cell>
            <Cell numeric>{rateOf(part.clickRate, part.clicked, part.sent)}</Cell>
            <Cell numeric extra>
              {rateOf(part.openRate, part.opened, part.sent)}
            </Cell>
            {hasGoal && (
              <Cell numeric>{rateOf(part.conversionRate ?? 0, part.converted ?? 0, part.sent)}</Cell>
            )}
            {mayDecide && (
              <Cell>
                {part.key !== 'REST' && (
                  <Button small onClick={() => setChosen(part)}>
                    Send {part.key} to the rest
                  </Button>
                )}
              </Cell>
            )}
          </Row>
        ))}
      </Table>
      {pairs.length > 0 && (
        <ul className={styles.pairs}>
          {pairs.map((pair) => (
            <li key={pair.against}>{pairInWords(pair)}</li>
          ))}
        </ul>
      )}
      {chosen && (
        <Decide
          campaign={campaign}
          chosen={chosen.key as Exclude<Part['key'], 'REST'>}
          rest={rest?.recipients ?? 0}
          onClose={() => setChosen(null)}
        />
      )}
    </Panel>
  );
}

const rateOf = (rate: number, count: number, sent: number): string =>
  sent === 0 ? '–' : `${formatPercent(rate)} (${formatCount(count)})`;

interface DecideProps {
  campaign: Campaign;
  chosen: Exclude<Part['key'], 'REST'>;
  rest: number;
  onClose: () => void;
}

function Decide({ campaign, chosen, rest, onClose }: DecideProps) {
  const announce = useAnnounce();
  const refresh = useRefreshCampaigns();
  const decide = useMutation({
    ...useApi().campaigns.decideTest.mutationOptions(),
    async onSuccess() {
      await refresh();
      onClose();
      announce(`Variant ${chosen} was chosen`);
    },
  });
  return (
    <Confirm
      title={`Send variant ${chosen} to the rest?`}
      action="Send to the rest"
      pending={decide.isPending}
      failure={decide.error ? failureOf(decide.error) : null}
      onConfirm={() => decide.mutate({ id: campaign.id, winner: chosen })}
      onClose={onClose}
    >
      <p>
        {plural(rest, 'recipient')} get it{campaign.pausedAt ? ' once the campaign is resumed' : ' now'}. The
        test ends with that, and the choice can't be changed.
      </p>
    </Confirm>
  );
}
