import { createHash } from 'node:crypto';
import type { ExecutionStatus, StepStatus } from '../../../base/db/index.ts';
import type { RunStep } from '../definitions/read-definitions.store.ts';
import type { FoundEvent } from '../runtime/find-events.store.ts';
import type { Anchor, Member, MemberContact, StepRow } from '../runtime/member.ts';
import type { Progress, StepRecord } from '../runtime/set.store.ts';
import { outcomeOf } from '../runtime/transitions.rules.ts';

type Json = Record<string, unknown>;

/** An entry into the workflow. */
export interface Entry {
  at: Date;
  /** the event that it is by */
  eventId: string | null;
  /** null: the data of the event, which is read when the execution begins */
  context: Json | null;
}

/** An email that a step would write. */
export interface VirtualEmail {
  at: Date;
  stepId: string;
  templateId: string;
  /** of the step, which is completed when it is known whether the email is skipped */
  output: Json;
  /** what its texts can show */
  contact: MemberContact;
  vars: Json;
  /** why it would be skipped */
  reason: string | null;
  /** whether the limits of its contact hold for it */
  isLimited: boolean;
  /** the template was changed after that moment */
  isChanged: boolean;
}

/** A contact of a simulation, whom its steps change in memory. */
export interface Person {
  /** as it is stored; later it is as the steps have left it */
  contact: MemberContact;
  /** when it was last changed, as it is stored */
  storedAt: Date;
  isSnoozed: boolean;
  /** its opt-out or pause is the recipient's, which a workflow does not end */
  isOwn: boolean;
  /** in the order of their times */
  entries: readonly Entry[];
  /** what happens to it besides what is stored */
  events: VirtualEvent[];
  /** it entered before the time that is looked at, and is inside until then */
  insideUntil: number;
  hasEntered: boolean;
  /** entries before the time that is looked at */
  before: number;
  /** executions of the simulation */
  entered: number;
  /** when its last execution began, in milliseconds since 1970 */
  lastAt: number | null;
  /** when emails took its slots before, in milliseconds since 1970, oldest first */
  slots: readonly number[];
  emails: VirtualEmail[];
}

export interface VirtualEvent extends FoundEvent {
  /** it is what a wait looks for, whatever its data */
  isDrawn: boolean;
}

/** A step that an execution has reached. */
export interface ReachedStep {
  id: string;
  step: RunStep;
  status: StepStatus;
  startedAt: Date;
  completedAt: Date | null;
  scheduledFor: Date | null;
  output: Json | null;
  error: string | null;
  version: number | null;
}

/** An execution of a simulation, at its own time. */
export interface Run {
  readonly person: Person;
  readonly entry: Entry;
  readonly member: Member;
  readonly rows: Map<string, StepRow>;
  readonly steps: Map<string, ReachedStep>;
  /** the step where it goes on; null: the trigger */
  at: string | null;
  now: Date;
  status: ExecutionStatus;
  exitReason: string | null;
  completedAt: Date | null;
  /** it took the holdout branch of a SPLIT step */
  heldOut: boolean;
  /** when it goes on; null: only an event would bring it on */
  dueAt: Date | null;
  /** the first event after now that ends its wait */
  ahead: Date | null;
}

/** A UUID of version 8 (RFC 9562) that is the same for the same text. */
export function idFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** @param seed of the simulation */
export function beginRun(person: Person, entry: Entry, context: Json, seed: number): Run {
  const rows = new Map<string, StepRow>();
  const anchor: Anchor = { at: entry.at, eventId: entry.eventId };
  const member: Member = {
    id: idFrom(`${seed}:${person.contact.id}:${entry.at.getTime()}:${entry.eventId ?? ''}`),
    startedAt: entry.at,
    status: 'RUNNING',
    context,
    anchor,
    contact: person.contact,
    rows,
  };
  person.hasEntered = true;
  person.entered += 1;
  person.lastAt = entry.at.getTime();
  return {
    ...{ person, entry, member, rows, steps: new Map() },
    ...{
      at: null,
      now: entry.at,
      status: 'RUNNING',
      exitReason: null,
      completedAt: null,
      heldOut: false,
      dueAt: entry.at,
      ahead: null,
    },
  };
}

export const isActive = ({ status }: Pick<Run, 'status'>): boolean =>
  status === 'RUNNING' || status === 'WAITING';

/** Takes what a set would write of the step of an execution. */
export function keepRecord(run: Run, record: StepRecord, step: RunStep): void {
  const { status, scheduledFor, error, version } = record;
  const before = run.steps.get(step.id);
  const output = record.output ?? before?.output ?? null;
  const hasEnded = status === 'COMPLETED' || status === 'FAILED';
  const id = idFrom(`${run.member.id}:${step.id}`);
  run.steps.set(step.id, {
    id,
    step,
    status,
    startedAt: before?.startedAt ?? run.now,
    completedAt: hasEnded ? run.now : null,
    scheduledFor: hasEnded ? (before?.scheduledFor ?? null) : scheduledFor,
    output,
    error,
    version,
  });
  run.rows.set(step.id, {
    id: record.id,
    status,
    scheduledFor,
    error,
    outcome: outcomeOf(output),
    parked: status === 'SCHEDULED' ? (output ?? {}) : {},
  });
}

/** Takes the place to which a walk has brought an execution. */
export function keepProgress(
  run: Run,
  { status, currentStepId, dueAt, exitReason, heldOut }: Progress,
): void {
  run.status = status;
  run.at = currentStepId;
  run.dueAt = dueAt;
  run.exitReason = exitReason;
  if (heldOut) run.heldOut = true;
  run.completedAt = isActive(run) ? null : run.now;
  run.person.contact = run.member.contact;
}
