import { mailLanguage } from '@postrider/core/base/kernel/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApiClient } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { importContacts } from '../../../lib/rest.ts';
import { useOpenAt } from '../../../lib/use-open-at.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { withReading } from './column-reading.rules.ts';
import { defaultTargets, statesConsent } from './csv-head.rules.ts';
import { ImportCheck } from './import-check.tsx';
import { type ImportChoices, ImportColumns } from './import-columns.tsx';
import { newWording, noConsent, statedConsent } from './import-consent.rules.ts';
import { type ChosenFile, ImportFile } from './import-file.tsx';
import { ImportProgress } from './import-progress.tsx';
import { newSegment } from './import-segment.tsx';
import type { Targets } from './targets.rules.ts';
import { useKnownFields } from './use-known-fields.ts';
import { useTopicKeys } from './use-topic-keys.ts';

export function ImportContacts() {
  const [open, setOpen] = useOpenAt('import');
  return (
    <>
      <Button onClick={() => setOpen(true)}>Import</Button>
      {open && <ImportDialog onClose={() => setOpen(false)} />}
    </>
  );
}

type Step = 'file' | 'columns' | 'check';

const noChoices: ImportChoices = { ...noConsent, segmentId: '', segmentName: '' };

const titles: Record<Step, string> = {
  file: 'Import contacts',
  columns: 'Import contacts: columns',
  check: 'Import contacts: check',
};

/** File, columns, check, import. */
function ImportDialog({ onClose }: { onClose: () => void }) {
  const { id: projectId } = useProject();
  const { segments, wordings } = useApiClient();
  const known = useKnownFields();
  const topics = useTopicKeys();
  const [step, setStep] = useState<Step>('file');
  const [chosen, setChosen] = useState<ChosenFile | null>(null);
  const [targets, setTargets] = useState<Targets>({});
  const [choices, setChoices] = useState(noChoices);
  /** Another check, with other columns. */
  const [attempt, setAttempt] = useState(0);
  const kind = chosen?.kind ?? 'contacts';
  const optionsOf = ({ encoding }: ChosenFile) => ({
    projectId,
    kind,
    encoding,
    ...(kind === 'contacts' && {
      mapping: targets,
      ...(!statesConsent(targets) && statedConsent(choices)),
    }),
  });
  /** The words that the people agreed to, which are stored with the import and not with a check. */
  const wordingOf = async (): Promise<string> => {
    const { subscribed, wordingId, wordingText, wordingLanguage } = choices;
    if (kind !== 'contacts' || statesConsent(targets) || !subscribed) return '';
    if (wordingId !== newWording) return wordingId;
    const language = mailLanguage.parse(wordingLanguage);
    return (await wordings.create.mutate({ language, text: wordingText })).id;
  };
  const upload = useMutation({
    async mutationFn({ file, source }: { file: ChosenFile; source: string }) {
      const { segmentId, segmentName } = choices;
      const segment =
        kind === 'contacts' && segmentId === newSegment
          ? (await segments.create.mutate({ name: segmentName, type: 'STATIC' })).id
          : segmentId;
      const wordingId = await wordingOf();
      return importContacts({
        ...optionsOf(file),
        source,
        ...(wordingId !== '' && { wordingId }),
        ...(kind === 'contacts' && segment !== '' && { segmentId: segment }),
      });
    },
  });
  const change = (next: ChosenFile | null) => {
    setChosen(next);
    if (next && 'head' in next.reading)
      setTargets(defaultTargets(next.reading.head, { fields: known.map(({ name }) => name), topics }));
  };
  if (upload.data !== undefined) {
    const another = () => {
      setChosen(null);
      setChoices(noChoices);
      setStep('file');
      upload.reset();
    };
    return (
      <Dialog title="Import contacts" onClose={onClose} wide>
        <ImportProgress
          jobId={upload.data}
          fileName={chosen?.file.name ?? 'import.csv'}
          onClose={onClose}
          onAnother={another}
        />
      </Dialog>
    );
  }
  return (
    <Dialog title={titles[step]} onClose={onClose} wide>
      {step === 'file' && (
        <ImportFile chosen={chosen} onChange={change} onNext={() => setStep('columns')} onClose={onClose} />
      )}
      {step === 'columns' && chosen && 'head' in chosen.reading && (
        <ImportColumns
          head={chosen.reading.head}
          kind={kind}
          targets={targets}
          choices={choices}
          onChange={setTargets}
          onBack={() => setStep('file')}
          onNext={(next) => {
            setChoices(next);
            setStep('check');
          }}
        />
      )}
      {step === 'check' && chosen && (
        <ImportCheck
          key={attempt}
          start={() => importContacts({ ...optionsOf(chosen), source: chosen.file, dryRun: true })}
          isImporting={upload.isPending}
          failure={upload.error}
          onImport={(source) => upload.mutate({ file: chosen, source })}
          onText={(header) => {
            setTargets({ ...targets, [header]: withReading(targets[header], 'TEXT') });
            setAttempt(attempt + 1);
          }}
          onBack={() => setStep('columns')}
        />
      )}
    </Dialog>
  );
}
