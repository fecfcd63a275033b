import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Campaign, useApi } from '../../lib/api.ts';
import { useProject, useProjectPath } from '../../lib/current.ts';
import { formatCount, formatMinute, formatValue } from '../../lib/format.ts';
import { picturedText } from '../../ui/mail-picture.rules.ts';
import { OutcomeBar } from '../../ui/outcome-bar.tsx';
import { Cell, CellActions, Check, Row, rowLinkClass, type Sorting, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { audienceNames } from './audience-names.ts';
import { CampaignActions } from './campaign-actions.tsx';
import {
  convertedOf,
  figureOf,
  figuresInBrief,
  listedFigures,
  sentInWords,
} from './campaign-figures.rules.ts';
import { CampaignStatus, guardReasonInWords } from './campaign-status.tsx';
import styles from './campaign-table.module.css';
import { outcomesOf } from './outcomes.rules.ts';
import { testInBrief } from './tests/test-words.rules.ts';

interface CampaignTableProps {
  campaigns: Campaign[];
  sorting: Sorting;
  /** ids */
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
}

export function CampaignTable({ campaigns, sorting, selected, onSelect }: CampaignTableProps) {
  const hasSegments = campaigns.some(({ audienceType }) => audienceType === 'SEGMENT');
  const segments = useQuery({ ...useApi().segments.list.queryOptions(), enabled: hasSegments });
  const segmentNames = new Map(segments.data?.map(({ id, name }) => [id, name]));
  const currencies = useCurrencies(campaigns);
  const { tracking } = useProject();
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(selected);
    if (isChosen) next.add(id);
    else next.delete(id);
    onSelect(next);
  };
  return (
    <Table
      label="Campaigns"
      sorting={sorting}
      columns={[
        { label: 'Selected', control: <span className="visually-hidden">Selected</span> },
        { label: 'Status', wide: true },
        { label: 'Name', sort: 'name' },
        { label: 'Audience', wide: true },
        { label: 'Recipients', numeric: true, wide: true },
        { label: 'Sent', numeric: true, wide: true },
        ...listedFigures.map(({ label }) => ({ label, numeric: true, wide: true })),
        { label: 'Converted', numeric: true, wide: true },
        { label: 'When', numeric: true, wide: true },
        { label: 'Actions', control: <span className="visually-hidden">Actions</span> },
      ]}
    >
      {campaigns.map((campaign) => (
        <Row key={campaign.id}>
          <Cell>
            {campaign.sentAt && (
              <Check
                label={`Select ${campaign.name}`}
                checked={selected.has(campaign.id)}
                onChange={(isChosen) => choose(campaign.id, isChosen)}
              />
            )}
          </Cell>
          <Cell wide>
            <CampaignStatus status={campaign.status} pausedAt={campaign.pausedAt} />
          </Cell>
          <Cell clip>
            <Name campaign={campaign} />
          </Cell>
          <Cell wide brief faint>
            {campaign.audienceType === 'SEGMENT'
              ? (segmentNames.get(campaign.segmentId ?? '') ?? 'Segment')
              : audienceNames[campaign.audienceType]}
          </Cell>
          <Cell numeric wide>
            {formatCount(campaign.totalRecipients)}
          </Cell>
          <Cell numeric wide>
            {campaign.sentAt && <Sent campaign={campaign} />}
          </Cell>
          {listedFigures.map((figure) => (
            <Cell key={figure.name} numeric wide>
              {campaign.sentAt && <Rate {...figureOf(figure, campaign, tracking)} />}
            </Cell>
          ))}
          <Cell numeric wide>
            {campaign.sentAt && (
              <Converted campaign={campaign} currency={currencies.get(campaign.goalId ?? '') ?? null} />
            )}
          </Cell>
          <Cell numeric faint wide>
            <When campaign={campaign} />
          </Cell>
          <Cell numeric>
            <CellActions>
              <CampaignActions campaign={campaign} label={`Actions for ${campaign.name}`} inRow />
            </CellActions>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

/** The currencies of the goals of campaigns, by the ids of the goals; one without values is missing. */
function useCurrencies(campaigns: readonly Campaign[]): ReadonlyMap<string, string> {
  const withValue = campaigns.some(({ convertedValue }) => convertedValue !== null);
  const goals = useQuery({ ...useApi().goals.list.queryOptions({ limit: 100 }), enabled: withValue });
  return new Map(goals.data?.data.flatMap(({ id, value }) => (value ? [[id, value.currency] as const] : [])));
}

/** The name and subject; on screens without room for the other columns, the status and figures. */
function Name({ campaign }: { campaign: Campaign }) {
  const to = useProjectPath();
  const { tracking } = useProject();
  const { id, name, familyId, subject, status, pausedAt, pauseReason, sentAt, test } = campaign;
  const marks = [
    campaign.waitsFor && 'Waits for the engine',
    guardReasonInWords(pauseReason),
    familyId !== id && 'Sequel',
    test && testInBrief(test),
  ].filter(Boolean);
  return (
    <>
      <Link to={to(`campaigns/${id}`)} className={rowLinkClass ?? ''}>
        {name}
      </Link>
      <span className={styles.subject}>{[...marks, picturedText(subject)].join(' · ')}</span>
      <span className={styles.brief}>
        <CampaignStatus status={status} pausedAt={pausedAt} /> <When campaign={campaign} />
        <span>{[...marks, ...(sentAt ? [figuresInBrief(campaign, tracking)] : [])].join(' · ')}</span>
      </span>
    </>
  );
}

/** How many recipients were sent the email, and while it is being sent what became of the others. */
const Sent = ({ campaign }: { campaign: Campaign }) => (
  <>
    {sentInWords(campaign)}
    {campaign.status === 'SENDING' && <OutcomeBar outcomes={outcomesOf(campaign)} />}
  </>
);

function Rate({ rate, count, unknown }: ReturnType<typeof figureOf>) {
  if (unknown === null) return <span title={count}>{rate}</span>;
  return (
    <span title={unknown}>
      <span aria-hidden="true">{rate}</span>
      <span className="visually-hidden">{unknown}</span>
    </span>
  );
}

/** In percent of the emails sent, with the sum of the values below. */
function Converted({ campaign, currency }: { campaign: Campaign; currency: string | null }) {
  const figure = convertedOf(campaign, currency);
  if (figure === null) return null;
  const { rate, count } = figure;
  if (campaign.convertedValue === null || currency === null) return <span title={count}>{rate}</span>;
  return <span title={`${count}, ${rate}`}>{formatValue(campaign.convertedValue, currency)}</span>;
}

function When({ campaign: { status, scheduledFor, sentAt, createdAt } }: { campaign: Campaign }) {
  if (status === 'SCHEDULED' && scheduledFor)
    return <time dateTime={scheduledFor}>{formatMinute(scheduledFor)}</time>;
  return <Ago at={sentAt ?? createdAt} />;
}
