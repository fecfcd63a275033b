import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Campaign, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { elapsedInWords } from '../../lib/elapsed.rules.ts';
import { formatCount } from '../../lib/format.ts';
import { CopyChip } from '../../ui/copy-chip.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Moment } from '../../ui/time.tsx';
import { FilterWords } from '../common/filters/filter-words.tsx';
import { TopicName } from '../common/topics/topic-name.tsx';
import { ContentFacts } from '../templates/content-facts.tsx';
import { audienceNames } from './audience-names.ts';
import { localTimeInWords } from './scheduled-time.ts';
import { metricNames } from './tests/test-setup.rules.ts';

function paceInWords({ perHour, careful }: NonNullable<Campaign['pace']>): string {
  if (perHour === null) return 'In three waves';
  return `At most ${formatCount(perHour)} an hour${careful ? ', in three waves' : ''}`;
}

function tagsInWords({ enabled, campaign }: NonNullable<Campaign['utm']>): string {
  if (enabled === false) return 'None';
  return [enabled ? 'On' : 'As the project has them', campaign && `utm_campaign ${campaign}`]
    .filter(Boolean)
    .join(', ');
}

interface CampaignFactsProps {
  campaign: Campaign;
  /** When the last recipient was settled. */
  finishedAt?: string | null;
}

export function CampaignFacts({ campaign, finishedAt }: CampaignFactsProps) {
  const to = useProjectPath();
  return (
    <Facts>
      {campaign.description && <Fact name="Description">{campaign.description}</Fact>}
      <ContentFacts content={campaign} />
      {campaign.topic && (
        <Fact name="Topic">
          <TopicName topic={campaign.topic} />
        </Fact>
      )}
      <Fact name="Audience">
        {audienceNames[campaign.audienceType]}
        {campaign.sentAt && `, ${formatCount(campaign.totalRecipients)}`}
      </Fact>
      {campaign.segmentId && (
        <Fact name="Segment">
          <SegmentLink id={campaign.segmentId} />
        </Fact>
      )}
      {campaign.audienceType === 'FILTERED' && (
        <Fact name="Filter">
          <FilterWords condition={campaign.audienceCondition} />
        </Fact>
      )}
      {campaign.templateId && (
        <Fact name="Template">
          <Link to={to(`templates/${campaign.templateId}`)}>View template</Link>
        </Fact>
      )}
      {campaign.exemptFromLimits && <Fact name="Contact limits">Outside of them</Fact>}
      {campaign.holdout > 0 && (
        <Fact name="Holdout">{`${campaign.holdout}% get no email, to be compared`}</Fact>
      )}
      {campaign.goalId && (
        <Fact name="Goal">
          <GoalLink id={campaign.goalId} />
        </Fact>
      )}
      {campaign.test && (
        <Fact name="Test">
          {`${campaign.test.variants.length + 1} variants for ${campaign.test.sample}% of the audience, winner by ${metricNames[campaign.test.metric].toLowerCase()}`}
        </Fact>
      )}
      {campaign.pace && <Fact name="Pace">{paceInWords(campaign.pace)}</Fact>}
      {campaign.utm && <Fact name="Link tags">{tagsInWords(campaign.utm)}</Fact>}
      {!campaign.guard && <Fact name="Guard">Off: it does not pause by itself</Fact>}
      <Fact name="Created">
        <Moment at={campaign.createdAt} />
      </Fact>
      {campaign.scheduledFor && (
        <Fact name="Scheduled for">
          <Moment at={campaign.scheduledFor} />
        </Fact>
      )}
      {campaign.localTime && (
        <Fact name="Local time">
          {localTimeInWords(campaign.localTime)}
          {campaign.localTime.whenPassed === 'NOW'
            ? '; where it was over, at once'
            : '; where it was over, a day later'}
        </Fact>
      )}
      {campaign.sentAt && (
        <Fact name="Started">
          <Moment at={campaign.sentAt} />
        </Fact>
      )}
      {campaign.sentAt && finishedAt && (
        <>
          <Fact name="Finished">
            <Moment at={finishedAt} />
          </Fact>
          <Fact name="Duration">{elapsedInWords(campaign.sentAt, finishedAt)}</Fact>
        </>
      )}
      <Fact name="Campaign ID">
        <CopyChip text={campaign.id} label="campaign ID" />
      </Fact>
    </Facts>
  );
}

/** A link to the goal, labelled with its name once loaded. */
function GoalLink({ id }: { id: string }) {
  const to = useProjectPath();
  const goal = useQuery(useApi().goals.get.queryOptions({ id }));
  return <Link to={to(`goals/${id}`)}>{goal.data?.name ?? 'View goal'}</Link>;
}

/** A link to the segment, labelled with its name once loaded. */
function SegmentLink({ id }: { id: string }) {
  const to = useProjectPath();
  const segment = useQuery(useApi().segments.get.queryOptions({ id }));
  return <Link to={to(`segments/${id}`)}>{segment.data?.name ?? 'View segment'}</Link>;
}
