import { keyOfTarget } from '@postrider/core/audience/contacts/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type ImportJob, useApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { DialogActions } from '../../../ui/dialog.tsx';
import { CheckField } from '../../../ui/field.tsx';
import { jobWaits } from '../../../ui/job-progress.tsx';
import { FailureNotice, LoadFailure, Notice } from '../../../ui/notice.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { Cell, SecondLine, Table } from '../../../ui/table.tsx';
import styles from './import-mapping.module.css';
import { targetInWords } from './import-mapping.tsx';
import { JobErrors } from './job-errors.tsx';

type Result = NonNullable<ImportJob['result']>;
type ColumnResult = Result['columns'][number];

interface ImportCheckProps {
  /** Uploads the file for a dry run. @returns the id of its job */
  start: () => Promise<string>;
  onImport: (jobId: string) => void;
  isImporting: boolean;
  failure: unknown;
  /** Reads a column as text instead. */
  onText: (header: string) => void;
  onBack: () => void;
}

/** The third step of an import: a dry run, and what it says the import would do. */
export function ImportCheck({ start, onImport, isImporting, failure, onText, onBack }: ImportCheckProps) {
  const dryRun = useMutation({ mutationFn: start });
  const { mutate } = dryRun;
  useEffect(() => mutate(), [mutate]);
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const jobId = dryRun.data;
  const job = useQuery({
    ...useApi().contacts.getImport.queryOptions({ jobId: jobId ?? '' }),
    enabled: jobId !== undefined,
  });
  const { data } = job;
  const isOver = data?.state === 'completed' || data?.state === 'failed';
  const result = data?.result ?? null;
  const open =
    result?.columns.filter(({ header, read, unread }) => unread > read && !leftOut.has(header)) ?? [];
  return (
    <>
      <div role="status" className={styles.becomes}>
        {dryRun.error && <FailureNotice failure={failureOf(dryRun.error)} />}
        {job.isError && !data && <LoadFailure error={job.error} retry={job.refetch} />}
        {!dryRun.error && !isOver && !job.isError && (
          <Progress label={data?.waitsFor ? jobWaits : 'Checking the file'} value={data?.progress ?? null} />
        )}
        {data?.state === 'failed' && (
          <Notice tone="bad" title={data.failedReason ?? 'The file could not be checked'} />
        )}
        {result && (
          <Outcome
            result={result}
            leftOut={leftOut}
            onText={onText}
            onLeaveOut={(header, isLeft) => {
              const next = new Set(leftOut);
              if (isLeft) next.add(header);
              else next.delete(header);
              setLeftOut(next);
            }}
          />
        )}
        {failure !== null && <FailureNotice failure={failureOf(failure)} />}
      </div>
      <DialogActions>
        <Button onClick={onBack}>Back</Button>
        <Button
          kind="primary"
          pending={isImporting}
          disabled={result === null || result.successCount === 0 || open.length > 0}
          onClick={() => jobId !== undefined && onImport(jobId)}
        >
          Import
        </Button>
      </DialogActions>
    </>
  );
}

interface OutcomeProps {
  result: Result;
  leftOut: ReadonlySet<string>;
  onText: (header: string) => void;
  onLeaveOut: (header: string, isLeft: boolean) => void;
}

function Outcome({ result, leftOut, onText, onLeaveOut }: OutcomeProps) {
  const { totalRows, createdCount, updatedCount, failureCount, unreadCount, columns, errors } = result;
  const people = peopleInWords(result);
  return (
    <>
      <Notice
        tone={failureCount + unreadCount > 0 ? 'warn' : 'good'}
        title={`${plural(totalRows, 'row')} checked`}
      >
        <p>
          {`The import creates ${formatCount(createdCount)}, updates ${formatCount(updatedCount)} and skips ${plural(failureCount, 'row')}.`}
          {people !== '' && ` ${people}`}
        </p>
      </Notice>
      <Table
        label="Columns"
        columns={[{ label: 'Column' }, { label: 'Becomes', extra: true }, { label: 'Cells' }]}
      >
        {columns.map((column) => (
          <ColumnRow
            key={column.header}
            column={column}
            taken={result.successCount}
            isLeftOut={leftOut.has(column.header)}
            onText={onText}
            onLeaveOut={onLeaveOut}
          />
        ))}
      </Table>
      <JobErrors
        label="Rows to skip"
        head="Row"
        total={failureCount}
        errors={errors.map(({ row, email, error }) => ({ key: String(row), email, error }))}
      />
    </>
  );
}

/** What the import does to subscriptions, in words; counts of zero are left out. */
function peopleInWords({
  subscribedCount,
  unsubscribedCount,
  optedOutCount,
  suppressedCount,
}: Result): string {
  const parts = [
    subscribedCount > 0 && `${formatCount(subscribedCount)} will be subscribed`,
    unsubscribedCount > 0 && `${formatCount(unsubscribedCount)} will be unsubscribed`,
    optedOutCount > 0 && `${formatCount(optedOutCount)} had already unsubscribed and stay so`,
    suppressedCount > 0 && `${formatCount(suppressedCount)} are suppressed`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? '' : `Contacts: ${parts.join(', ')}.`;
}

const answersInWords = ({ yes, no, nothing }: { yes: number; no: number; nothing: number }): string =>
  [
    `${formatCount(yes)} yes`,
    `${formatCount(no)} no`,
    ...(nothing > 0 ? [`${formatCount(nothing)} say nothing`] : []),
  ].join(' · ');

interface ColumnRowProps {
  column: ColumnResult;
  /** Rows that are imported. */
  taken: number;
  isLeftOut: boolean;
  onText: (header: string) => void;
  onLeaveOut: (header: string, isLeft: boolean) => void;
}

function ColumnRow({ column, taken, isLeftOut, onText, onLeaveOut }: ColumnRowProps) {
  const { header, to, type, format, read, unread, yes, no, examples } = column;
  const becomes = targetInWords(to);
  const isField = keyOfTarget(to) !== null;
  const answers =
    yes === null || no === null ? null : answersInWords({ yes, no, nothing: Math.max(0, taken - yes - no) });
  return (
    <tr>
      <Cell clip>
        {header}
        <SecondLine>{becomes}</SecondLine>
      </Cell>
      <Cell clip extra>
        {becomes}
      </Cell>
      <Cell>
        {unread === 0 ? (
          (answers ?? `${formatCount(read)} read`)
        ) : (
          <div className={styles.becomes}>
            <span>
              {answers !== null && `${answers} · `}
              {`${formatCount(unread)} of ${formatCount(read + unread)} cells cannot be read${readAs(type, format)}`}
            </span>
            <span className={styles.sample}>
              {examples.map(({ row, value }) => `row ${row}: ${value}`).join(', ')}
            </span>
            {isField && (
              <Button small onClick={() => onText(header)}>
                Read as text
              </Button>
            )}
            {unread > read && (
              <CheckField
                name={`leave-${header}`}
                label={isField ? 'Leave these out' : 'Skip these rows'}
                defaultChecked={isLeftOut}
                onChange={(isLeft) => onLeaveOut(header, isLeft)}
              />
            )}
          </div>
        )}
      </Cell>
    </tr>
  );
}

const kinds: Record<string, string> = {
  NUMBER: 'a number',
  BOOLEAN: 'yes or no',
  DATE: 'a date',
  DATETIME: 'a date and time',
  LIST: 'a list',
};

function readAs(type: string | null, format: string | null): string {
  if (type === null) return '';
  return ` as ${kinds[type] ?? 'text'}${format === null ? '' : `, ${format}`}`;
}
