import type { Campaign, CampaignStats } from '../../lib/api.ts';
import { formatCount, shareOf } from '../../lib/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Moment } from '../../ui/time.tsx';
import { localTimeInWords } from './scheduled-time.ts';

type Wave = CampaignStats['waves'][number];

/** The parts in which a campaign is sent, with the time and the progress of each. Nothing for one that is sent to all at once. */
export function CampaignWaves({ campaign, waves }: { campaign: Campaign; waves: readonly Wave[] }) {
  if (waves.length === 0) return null;
  return (
    <Panel flush title={campaign.localTime ? localTimeInWords(campaign.localTime) : 'Waves'}>
      <Table label="Waves" columns={[{ label: 'Time' }, { label: 'Sent' }]}>
        {waves.map((wave) => (
          <Row key={wave.wave}>
            <Cell>
              <TimeOfWave wave={wave} />
            </Cell>
            <Cell>
              <Progress
                label={`${formatCount(wave.done)} of ${formatCount(wave.recipients)}`}
                value={shareOf(wave.done, wave.recipients)}
              />
            </Cell>
          </Row>
        ))}
      </Table>
    </Panel>
  );
}

function TimeOfWave({ wave: { wave, dueAt, releasedAt } }: { wave: Wave }) {
  const at = dueAt ?? releasedAt;
  return at ? <Moment at={at} /> : `Wave ${wave}, after the one before`;
}
