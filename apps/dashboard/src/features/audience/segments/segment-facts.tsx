import type { Segment } from '../../../lib/api.ts';
import { CopyChip } from '../../../ui/copy-chip.tsx';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { Moment } from '../../../ui/time.tsx';
import { segmentTypes } from './segment-type.tsx';

/** The number of members is not among them: the list of members has the current one, and the stored one may be minutes old. */
export function SegmentFacts({ segment }: { segment: Segment }) {
  return (
    <Facts>
      <Fact name="Type">{segmentTypes[segment.type].name}</Fact>
      <Fact name="Entries and exits">{segment.trackMembership ? 'Tracked' : 'Not tracked'}</Fact>
      <Fact name="Slug">
        <CopyChip text={segment.slug} label="slug" />
      </Fact>
      <Fact name="Created">
        <Moment at={segment.createdAt} />
      </Fact>
      <Fact name="Updated">
        <Moment at={segment.updatedAt} />
      </Fact>
      <Fact name="Segment ID">
        <CopyChip text={segment.id} label="segment ID" />
      </Fact>
    </Facts>
  );
}
