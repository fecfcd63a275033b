import type { SqlDb } from '../../../base/db/index.ts';
import type { ValueClock } from '../../../base/lib/index.ts';
import type { Definition, Lineage } from '../definitions/read-definitions.store.ts';
import { placeMoved } from '../versions/move-job.store.ts';
import type { FoundEnd } from './end-search.store.ts';
import { type EndCandidate, type Exit, meaningOf, searchEnds } from './find-ends.ts';
import { openRequests, writeConversions } from './measures.store.ts';
import { type ClaimedRow, leaveSteps } from './set.store.ts';

/** A claimed execution with the definition that it runs. */
export interface EndingRow<Row extends ClaimedRow = ClaimedRow> {
  row: Row;
  /** undefined if there is none */
  runs: Definition | undefined;
  lineage: Lineage | undefined;
  /** what ends it, at once or after the step whose time came before */
  exit?: Exit & { afterOpenStep: boolean };
}

interface Ending<Row extends ClaimedRow> {
  /** what the walk goes on with */
  placed: EndingRow<Row>[];
  /** what waits for the result of a request, and was woken by an event that does not end it */
  resting: EndingRow<Row>[];
}

/**
 * Finds the events of goals and exit rules before any step is taken (behaviour B14.6): whoever has done what the workflow is for gets no further
 * email, wherever it is. What an event brings to another step goes on there.
 */
export async function applyEnds<Row extends ClaimedRow>(
  db: SqlDb,
  { projectId, workflowId }: { projectId: string; workflowId: string },
  rows: readonly EndingRow<Row>[],
  clock: ValueClock,
): Promise<Ending<Row>> {
  const ending: Ending<Row> = { placed: [], resting: [] };
  for (const together of Map.groupBy(rows, ({ runs }) => runs?.version).values()) {
    const runs = together[0]?.runs;
    const candidates = together.flatMap(candidateOf);
    const found =
      runs && candidates.length === together.length && hasEnds(runs)
        ? await searchEnds(db, projectId, runs, candidates, clock)
        : undefined;
    if (!found) {
      ending.placed.push(...together);
      continue;
    }
    await writeConversions(
      db,
      { projectId, workflowId },
      together.flatMap(({ row }, index) => conversionsOf(row.id, found[index] ?? [])),
    );
    const judged = together.map((each, index) => judge(each, found[index] ?? []));
    await leaveSteps(
      db,
      judged.filter(({ exit }) => exit && !exit.afterOpenStep).map(({ row }) => row.id),
    );
    await jump(db, judged);
    const open = await openRequests(db, judged.flatMap(requestOf));
    for (const each of judged) {
      const isResting = !each.exit && requestOf(each).some((id) => open.has(id));
      (isResting ? ending.resting : ending.placed).push(each);
    }
  }
  return ending;
}

const hasEnds = ({ goals, exits }: Definition): boolean => goals.length + exits.length > 0;

const candidateOf = ({ row, lineage }: EndingRow): EndCandidate[] =>
  lineage
    ? [
        {
          id: row.id,
          contactId: row.contactId,
          beganAt: row.beganAt,
          sourceEventId: row.sourceEventId,
          isFresh: row.steps === null,
          lineage,
        },
      ]
    : [];

const conversionsOf = (executionId: string, found: readonly FoundEnd[]) =>
  found.flatMap(({ rule: { goal }, eventId, at, value }) =>
    goal ? [{ goalId: goal.id, executionId, eventId, at, value }] : [],
  );

type Judged<Row extends ClaimedRow> = EndingRow<Row> & { jumped?: string };

/** What the events mean for an execution: its end, or another place. */
function judge<Row extends ClaimedRow>(ending: EndingRow<Row>, found: readonly FoundEnd[]): Judged<Row> {
  const { row } = ending;
  const { currentStepId: at, steps } = row;
  const open = at === null ? undefined : steps?.[at];
  const time = open?.scheduledFor ?? null;
  const meaning = meaningOf(found, {
    at,
    open: open && { status: open.status, scheduledFor: time === null ? null : new Date(time) },
    hasReached: (stepId) => steps?.[stepId] !== undefined,
  });
  if (meaning.kind === 'none') return ending;
  if (meaning.kind === 'exits')
    return { ...ending, exit: { ...meaning.exit, afterOpenStep: meaning.afterOpenStep } };
  const { stepId, to } = meaning;
  return {
    ...ending,
    jumped: stepId,
    row: {
      ...row,
      status: 'RUNNING',
      currentStepId: stepId,
      // What comes next counts from the event on.
      anchorAt: to.at,
      anchorEventId: to.eventId,
      steps: at === null || !open ? steps : { ...steps, [at]: { ...open, status: 'SKIPPED' } },
    },
  };
}

async function jump(db: SqlDb, judged: readonly Judged<ClaimedRow>[]): Promise<void> {
  const jumping = judged.filter(({ jumped }) => jumped !== undefined);
  for (const [stepId, there] of Map.groupBy(jumping, ({ jumped }) => jumped))
    if (stepId !== undefined)
      await placeMoved(
        db,
        there.map(({ row }) => row.id),
        stepId,
      );
}

/** The row of the step at which it may wait for the result of a request. */
function requestOf({ row: { currentStepId, steps } }: EndingRow): string[] {
  const open = currentStepId === null ? undefined : steps?.[currentStepId];
  return open?.status === 'RUNNING' ? [open.id] : [];
}
