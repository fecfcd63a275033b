import type { Campaign } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Moment } from '../../ui/time.tsx';

const audiences: Record<Campaign['audienceType'], string> = {
  ALL: 'all contacts',
  SEGMENT: 'a segment',
  FILTERED: 'a filter',
};

export function CampaignFacts({ campaign }: { campaign: Campaign }) {
  return (
    <Facts>
      <Fact name="From">{campaign.fromName ? `${campaign.fromName} <${campaign.from}>` : campaign.from}</Fact>
      {campaign.replyTo && <Fact name="Answers go to">{campaign.replyTo}</Fact>}
      <Fact name="Class">{campaign.type.toLowerCase()}</Fact>
      <Fact name="Audience">
        {audiences[campaign.audienceType]}, {formatCount(campaign.totalRecipients)}
      </Fact>
      <Fact name="Created">
        <Moment at={campaign.createdAt} />
      </Fact>
      {campaign.scheduledFor && (
        <Fact name="Scheduled for">
          <Moment at={campaign.scheduledFor} />
        </Fact>
      )}
      {campaign.sentAt && (
        <Fact name="Started">
          <Moment at={campaign.sentAt} />
        </Fact>
      )}
      <Fact name="Campaign id" code>
        {campaign.id}
      </Fact>
    </Facts>
  );
}
