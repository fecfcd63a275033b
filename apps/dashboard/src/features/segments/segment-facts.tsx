import type { Segment } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Moment } from '../../ui/time.tsx';
import { segmentTypes } from './segment-type.tsx';

export function SegmentFacts({ segment }: { segment: Segment }) {
  return (
    <Facts>
      <Fact name="Type">{segmentTypes[segment.type].name.toLowerCase()}</Fact>
      <Fact name="Members">{formatCount(segment.memberCount)}</Fact>
      <Fact name="Entries, exits">{segment.trackMembership ? 'tracked' : 'not tracked'}</Fact>
      <Fact name="Created">
        <Moment at={segment.createdAt} />
      </Fact>
      <Fact name="Changed">
        <Moment at={segment.updatedAt} />
      </Fact>
      <Fact name="Segment id" code>
        {segment.id}
      </Fact>
    </Facts>
  );
}
