import type { ImportKind } from '@postrider/core/audience/contacts/contract';
import { Button } from '../../../ui/button.tsx';
import { DialogActions } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { type CsvHead, preview, statesConsent } from './csv-head.rules.ts';
import { type ConsentChoices, consentIn } from './import-consent.rules.ts';
import { ImportConsent } from './import-consent.tsx';
import { ImportMapping } from './import-mapping.tsx';
import { ImportSegment } from './import-segment.tsx';
import type { Targets } from './targets.rules.ts';
import { useTopicKeys } from './use-topic-keys.ts';

/** What was decided about a file besides its columns. */
export interface ImportChoices extends ConsentChoices {
  /** An existing segment, a new one, or none. */
  segmentId: string;
  segmentName: string;
}

interface ImportColumnsProps {
  head: CsvHead;
  kind: ImportKind;
  targets: Targets;
  choices: ImportChoices;
  onChange: (targets: Targets) => void;
  onNext: (choices: ImportChoices) => void;
  onBack: () => void;
}

/** The second step of an import: what the columns become, who is subscribed, and the segment. */
export function ImportColumns({
  head,
  kind,
  targets,
  choices,
  onChange,
  onNext,
  onBack,
}: ImportColumnsProps) {
  const topics = useTopicKeys();
  const isReady = kind !== 'contacts' || 'rows' in preview(head, targets, topics);
  return (
    <Form
      label="Columns"
      failure={null}
      onSubmit={({ segmentId = '', segmentName = '', ...values }) => {
        if (isReady) onNext({ ...consentIn(values), segmentId, segmentName });
      }}
    >
      {kind === 'contacts' ? (
        <>
          <ImportMapping head={head} targets={targets} onChange={onChange} />
          {statesConsent(targets) ? (
            <Notice tone="busy" title="The file says who is subscribed">
              <p>People who have unsubscribed stay unsubscribed, whatever the file says.</p>
            </Notice>
          ) : (
            <ImportConsent choices={choices} />
          )}
          <ImportSegment chosen={choices.segmentId} name={choices.segmentName} />
        </>
      ) : (
        <Notice
          tone="busy"
          title={
            kind === 'optOuts'
              ? 'Everybody in this file will be unsubscribed'
              : 'No email will be sent to the addresses in this file'
          }
        >
          <p>
            {kind === 'optOuts'
              ? 'An import or a form cannot subscribe them again; addresses without a contact are remembered. Other columns are not stored.'
              : 'The columns “reason”, “createdAt” and “expiresAt” are stored; other columns are not. Addresses on the list keep their entry.'}
          </p>
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onBack}>Back</Button>
        <Button kind="primary" type="submit" disabled={!isReady}>
          Check
        </Button>
      </DialogActions>
    </Form>
  );
}
