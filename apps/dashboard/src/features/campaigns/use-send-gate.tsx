import { useState } from 'react';
import type { Campaign, Preflight } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { CheckField } from '../../ui/field.tsx';
import { ofRule } from '../mail-editor/checks/finding.rules.ts';
import { ProblemNotice } from '../mail-editor/checks/problem-notice.tsx';
import { usePreflight } from './use-preflight.ts';

/**
 * The checks before sending in a dialog that asks for it. Errors have to be accepted, in every project; what blocks cannot be. Where they
 * could not be made, the API decides.
 *
 * @param isLater it is sent at another time, for which the caps of now say nothing
 */
export function useSendGate(campaign: Campaign, isLater: boolean) {
  const { data, isLoading } = usePreflight(campaign.id);
  const [isAccepted, setAccepted] = useState(false);
  const findings = (data?.findings ?? []).filter(({ rule }) => !isLater || rule !== 'cap');
  const isBlocked = findings.some(({ blocks }) => blocks);
  const errors = [
    ...new Set(findings.flatMap(({ level, blocks, rule }) => (level === 'error' && !blocks ? rule : []))),
  ];
  return {
    isChecking: isLoading,
    isOpen: !isBlocked && (errors.length === 0 || isAccepted),
    /** for the request */
    acknowledge: errors,
    notice: (
      <>
        <ProblemNotice content={campaign} ruled={findings.map(ofRule)} />
        {data && campaign.type !== 'TRANSACTIONAL' && <Bases counts={data.recipientsByBasis} />}
        {errors.length > 0 && !isBlocked && (
          <CheckField name="acknowledge" label="Send it all the same" onChange={setAccepted} />
        )}
      </>
    ),
  };
}

const bases: readonly (readonly [keyof Preflight['recipientsByBasis'], string])[] = [
  ['confirmed', 'confirmed'],
  ['given', 'agreed'],
  ['customer', 'customers'],
  ['default', 'by default'],
  ['unknown', 'not known'],
];

/** What the subscriptions of the recipients rest on. */
function Bases({ counts }: { counts: Preflight['recipientsByBasis'] }) {
  const parts = bases.flatMap(([basis, word]) =>
    counts[basis] === 0 ? [] : [`${formatCount(counts[basis])} ${word}`],
  );
  return parts.length === 0 ? null : <p>{`Their agreement: ${parts.join(' · ')}.`}</p>;
}
